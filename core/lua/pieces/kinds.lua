-- The kinds of constraint. admits(b, cost): whether a job of this cost may start, and when it may if not; holds(b, cost): if not, what is
-- used or kept already, and whether that is of all keys together; charge(b, cost, id, token);
-- uncharge(b, cost, id, how, after_ms, token, started); counted(b, n, jobs): n ready jobs came, or went; starts: it counts starts, not
-- what runs; idle(b): when a bucket without jobs may be forgotten.
local kinds = {}

-- Windows and fixed periods: C++ knows zones and stores the next moments at which they change. `bd` in turn openings and closings.
local function openNow(bd)
    local next_ = 1
    while bd[next_] and bd[next_] <= now do
        next_ = next_ + 1
    end
    return next_ % 2 == 0, bd[next_]
end

kinds.concurrency = {
    admits = function(b, cost)
        return not kinds.concurrency.holds(b, cost)
    end,
    holds = function(b, cost)
        local most, used = param(b, 'l'), b.f.used or 0
        -- A job that costs more than the limit runs alone.
        if most <= 0 or used > 0 and used + cost > most then
            return used
        end
        -- Who has waited too long keeps the freed units for its own cost.
        if b.f.waiter_since and param(b, 'ra') and now - b.f.waiter_since >= param(b, 'ra') and b.f.waiter_cost ~= cost then
            return math.min(most, used + b.f.waiter_cost)
        end
        return nil
    end,
}

kinds.crowd = {
    admits = function()
        return false
    end,
}

kinds.pause = {
    admits = function(b)
        local ends = param(b, 't')
        if ends and ends <= now then
            return true
        end
        return false, ends
    end,
}

-- Whether the window closes at that very time, and told its jobs to stop then.
local function closesAt(b, at)
    local bd = param(b, 'bd')
    for i = 2, #bd, 2 do
        if bd[i] == at then
            return param(b, 'oc')
        end
    end
    return false
end

-- `since`: the first closing after that time; nothing: after now.
local function noteClosing(b, id, since)
    local bd, i = param(b, 'bd'), 2
    while bd[i] and bd[i] <= (since or now) do
        i = i + 2
    end
    if bd[i] and param(b, 'oc') then
        redis.call('ZADD', key.closing, bd[i], id .. b.c)
    end
end

kinds.window = {
    admits = function(b)
        return openNow(param(b, 'bd'))
    end,
    charge = function(b, _, id)
        noteClosing(b, id)
    end,
    uncharge = function(b, _, id)
        redis.call('ZREM', key.closing, id .. b.c)
    end,
}

kinds.cooldown = {
    admits = function(b)
        local ends = b.f.cools_until or 0
        if ends <= now then
            return true
        end
        return false, ends
    end,
    uncharge = function(b, _, _, how, after_ms)
        if how == 'f' and after_ms > 0 then
            set(b, field.bucket.cools_until, math.max(b.f.cools_until or 0, now + math.min(after_ms, param(b, 'mx'))))
        end
    end,
    idle = function(b)
        return b.f.cools_until
    end,
}

-- A share of a capacity for each key. What a bucket adds to what all lack is its own lack, if that is by the same version of the shares.
local function shareOf(b)
    local own = b.con.sh and b.con.sh[b.f.key] or b.con.df or {}
    local percent = own.pc and math.floor(b.con.cap * own.pc / 100)
    return own.mn or percent or 0, own.mx or (not b.con.bo and (percent or own.mn) or nil)
end

local function shareTotals(b)
    local t = redis.call('HMGET', key.share .. b.c, field.share.used, field.share.lacking, field.share.version)
    local version = tonumber(t[3] or 0)
    return tonumber(t[1] or 0), tonumber(t[2] or 0), b.f.lack_version == version and b.f.lack or 0, version
end

-- What the key lacks of its minimum while it has a backlog.
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

-- Calls `each` for the buckets of a constraint. Of more than limit.share_keys the sweep does it (follow.lua).
local function forBuckets(number, each)
    if redis.call('SCARD', key.constraint_buckets .. number) > limit.share_keys then
        redis.call('RPUSH', key.following, number .. '|0|' .. now)
        return
    end
    local cursor = '0'
    repeat
        local found = redis.call('SSCAN', key.constraint_buckets .. number, cursor, 'COUNT', limit.share_keys)
        cursor = found[1]
        for _, id in ipairs(found[2]) do
            if not buckets[id] then -- a scan may tell of one twice
                each(bucketOf(id))
            end
        end
    until cursor == '0'
end

-- Shares were changed: what each key lacks is another number now.
local function shareChanged(number)
    local key = key.share .. number
    redis.call('HSET', key, field.share.lacking, 0, field.share.version, redis.call('INCR', key.version))
    local used
    forBuckets(number, function(b)
        used = (used or 0) + (b.f.used or 0)
        shareLack(b)
    end)
    if used then
        redis.call('HSET', key, field.share.used, used)
    end
end

-- What runs under a bucket hears of another closing.
local function closingChanged(b, since)
    if redis.call('ZCARD', key.bucket_running .. b.id) > limit.items then
        redis.call('RPUSH', key.following, 'b' .. b.id .. '|0|' .. since)
        return
    end
    for _, id in ipairs(redis.call('ZRANGE', key.bucket_running .. b.id, 0, -1)) do
        noteClosing(b, id, math.max(since, tonumber(redis.call('HGET', key.state .. id, field.started) or 0)))
    end
end

-- A constraint got parameters, or lost them all: what buckets keep by the old ones follows, and who waits is looked at again. Called once
-- the new ones are in `con`, before any bucket was looked at.
local function constraintChanged(number)
    constraints[number] = nil
    reopening[number] = true
    local c = constraintOf(number)
    if not c then
        redis.call('DEL', key.share .. number)
    elseif c.k == 'share' then
        shareChanged(number)
    elseif c.k == 'window' and c.oc then
        forBuckets(number, function(b)
            closingChanged(b, now)
        end)
    end
end

kinds.share = {
    admits = function(b, cost)
        return not kinds.share.holds(b, cost)
    end,
    holds = function(b, cost)
        local used, least, most = b.f.used or 0, shareOf(b)
        local all, lacking, own = shareTotals(b)
        if most and (most <= 0 or used > 0 and used + cost > most) then
            return used
        elseif all + cost > b.con.cap then
            return all > 0 and all or nil, true
        elseif not b.con.bo or used + cost <= least or all + cost + lacking - own <= b.con.cap then
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
}

kinds.backlog = { -- backlog.lua
    counted = function(b, n, jobs)
        local words = {}
        for i = 2, #jobs, 2 do
            if n > 0 then
                words[#words + 1] = 0
            end
            words[#words + 1] = jobs[i]
        end
        redis.call(n > 0 and 'ZADD' or 'ZREM', key.backlog .. b.id, unpack(words))
    end,
}

-- Breaker: two rings of 60 slots, successes and failures, for one window; probes, while it is half-open.
local function breakerSlot(b)
    local slot, window = math.floor(now / (param(b, 'w') / 60)), param(b, 'w')
    if b.f.ring_window ~= window or slot - b.f.ring_start > 4e9 then -- a ring's index has 32 bits
        redis.call('DEL', key.breaker_rings .. b.id)
        set(b, field.bucket.ring_window, window)
        set(b, field.bucket.ring_start, slot - 1e6) -- so that a clock that is set back finds slots of its own
    end
    return slot - b.f.ring_start
end

local function breakerCounts(b, slot)
    local words = {}
    for i = 0, 121 do
        words[3 * i + 1], words[3 * i + 2], words[3 * i + 3] = 'GET', 'u32', i * 32
    end
    local rings = redis.call('BITFIELD_RO', key.breaker_rings .. b.id, unpack(words))
    local sums = { 0, 0 }
    for ring = 1, 2 do
        local newest = rings[61 * ring - 60]
        for s = math.max(slot, newest) - 59, newest do
            sums[ring] = sums[ring] + rings[61 * ring - 59 + s % 60]
        end
    end
    return sums[1], sums[2]
end

-- `for_ms`: for so long; nothing: as long as the parameters say.
local function breakerOpen(b, for_ms)
    local times = (b.f.openings or 0) + 1
    local long = for_ms or math.min(param(b, 'of') * param(b, 'fa') ^ (times - 1), param(b, 'mo'))
    set(b, field.bucket.breaker, 'o')
    set(b, field.bucket.openings, times)
    set(b, field.bucket.open_until, now + math.floor(long))
    redis.call('DEL', key.breaker_rings .. b.id, key.breaker_probes .. b.id)
end

local function breakerClose(b)
    set(b, field.bucket.breaker, 'c')
    set(b, field.bucket.openings, 0)
    redis.call('DEL', key.breaker_rings .. b.id, key.breaker_probes .. b.id)
end

local function breakerState(b)
    if b.f.breaker == 'o' and (b.f.open_until or 0) <= now then
        return 'h'
    end
    return b.f.breaker or 'c'
end

-- By hand. One that is open counts as opened once, from now on.
local function breakerTrip(b, for_ms)
    if breakerState(b) == 'o' then
        b.f.openings = b.f.openings - 1
    end
    breakerOpen(b, for_ms)
end

kinds.breaker = {
    starts = true,
    admits = function(b)
        local state = breakerState(b)
        if state == 'c' then
            return true
        elseif state == 'o' then
            return false, b.f.open_until
        end
        local good = b.f.breaker == 'h' and b.f.good_probes or 0
        return good >= param(b, 'pr') or redis.call('SCARD', key.breaker_probes .. b.id) + good < param(b, 'pr')
    end,
    charge = function(b, _, id)
        if breakerState(b) == 'h' then
            if b.f.breaker ~= 'h' then
                set(b, field.bucket.breaker, 'h')
                set(b, field.bucket.good_probes, 0)
            end
            if b.f.good_probes >= param(b, 'pr') then
                breakerClose(b) -- fewer probes are asked for by now than succeeded
            else
                redis.call('SADD', key.breaker_probes .. b.id, id)
            end
        end
    end,
    uncharge = function(b, _, id, how)
        local probe = b.f.breaker == 'h' and redis.call('SREM', key.breaker_probes .. b.id, id) == 1
        local bad = how == 'f' or how == 'e'
        if how ~= 's' and not bad then
            return
        elseif b.f.breaker == 'h' then
            if probe and bad then
                breakerOpen(b)
            elseif probe then
                add(b, field.bucket.good_probes, 1)
                if b.f.good_probes >= param(b, 'pr') then
                    breakerClose(b)
                end
            end
        elseif breakerState(b) == 'c' then
            local slot = breakerSlot(b)
            set(b, field.bucket.counted, now)
            ringsAdd(key.breaker_rings .. b.id, { { bad and 61 or 0, 60, slot, 1 } })
            local good, failed = breakerCounts(b, slot)
            if good + failed >= param(b, 'ms') and failed >= param(b, 'fr') * (good + failed) then
                breakerOpen(b)
            end
        end
    end,
    idle = function(b)
        if b.f.breaker and b.f.breaker ~= 'c' then
            return b.f.open_until + limit.breaker_kept_ms
        end
        return (b.f.counted or 0) + param(b, 'w')
    end,
}
