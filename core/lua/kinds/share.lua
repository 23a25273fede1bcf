-- Kind share: the keys share a capacity. A key may have a minimum and a maximum, and may borrow what others do not use, except what keys
-- with a backlog lack of their minimum. The totals over all keys are stored for the constraint; a bucket's lack is part of the total only
-- if both have the same version of the shares.
-- include bucket

-- A key's minimum and maximum (nil: none).
local function shareOf(b)
    local own = b.con.shares and b.con.shares[b.f.key] or b.con.otherwise or {}
    local percent = own.percent and math.floor(b.con.capacity * own.percent / 100)
    return own.least or percent or 0, own.most or (not b.con.borrow and (percent or own.least) or nil)
end

-- The totals: used, lacking, how much of lacking is this bucket's, and the version.
local function shareTotals(b)
    local t = redis.call('HMGET', key.share .. b.c, field.share.used, field.share.lacking, field.share.version)
    local version = tonumber(t[3] or 0)
    return tonumber(t[1] or 0), tonumber(t[2] or 0), b.f.lack_version == version and b.f.lack or 0, version
end

-- Updates what a key lacks of its minimum: it lacks something only while it has ready jobs.
local function shareLack(b)
    local least = shareOf(b)
    local lack = (b.f.ready or 0) > 0 and math.max(0, least - (b.f.used or 0)) or 0
    local _, _, before, version = shareTotals(b)
    if lack ~= before then
        redis.call('HINCRBY', key.share .. b.c, field.share.lacking, lack - before)
        set(b, field.bucket.lack, lack)
        set(b, field.bucket.lack_version, version)
        reopening[b.c] = true
    end
end

-- The shares were edited: a new version begins, in which each key's lack is counted anew.
local function shareChanged(number)
    local itsKey = key.share .. number
    redis.call('HSET', itsKey, field.share.lacking, 0, field.share.version, redis.call('INCR', key.version))
    local used
    forBuckets(number, function(b)
        used = (used or 0) + (b.f.used or 0)
        shareLack(b)
    end)
    if used then
        redis.call('HSET', itsKey, field.share.used, used)
    end
end

Kinds.share = {
    running = true,
    admits = function(b, cost)
        return not Kinds.share.holds(b, cost)
    end,
    holds = function(b, cost)
        local used, least, most = b.f.used or 0, shareOf(b)
        local all, lacking, own = shareTotals(b)
        if most and (most <= 0 or used > 0 and used + cost > most) then
            return used
        elseif all + cost > b.con.capacity then
            return all > 0 and all or nil, true
        elseif not b.con.borrow or used + cost <= least or all + cost + lacking - own <= b.con.capacity then
            return nil
        end
        return all + lacking - own, true
    end,
    charge = function(b, cost)
        redis.call('HINCRBY', key.share .. b.c, field.share.used, cost)
        shareLack(b)
    end,
    uncharge = function(b, cost)
        redis.call('HINCRBY', key.share .. b.c, field.share.used, -cost)
        shareLack(b)
        reopening[b.c] = true
    end,
    counted = shareLack,
    changed = shareChanged,
    follows = function()
        return true
    end,
    follow = shareLack,
    forget = function(number)
        redis.call('DEL', key.share .. number)
    end,
}
