-- The bound on a bucket's ready jobs (kind backlog), which only an enqueue checks. The bucket's backlog lists these jobs, oldest first.
-- include record
-- include bucket
-- include place
-- include state
-- include ends
-- include push

local Backlog = {}

local bounding = {} -- by packed buckets: whether one of them bounds a backlog

-- Whether a job that carries these buckets may need room before it is pushed.
function Backlog.bounds(bk)
    local known = bounding[bk]
    if known == nil then
        known = false
        local carried = cmsgpack.unpack(bk)
        for i = 1, #carried, 3 do
            local con = constraintOf(string.match(carried[i], '^%d+'))
            known = known or con and con.kind == 'backlog'
        end
        bounding[bk] = known
    end
    return known
end

-- For one more job of a bucket, returns what to do about the overflow, by how many jobs the backlog would be too long, and the constraint's
-- number; nil when there is room. It creates no bucket, because the job may be refused. Where no job may be ready, nothing that is dropped
-- makes room, so the job is refused.
local function overflow(id, keyText)
    local number = string.match(id, '^%d+')
    local con = constraintOf(number)
    if not con or con.kind ~= 'backlog' or con.mode == 'off' then
        return nil
    end
    local own = con.overrides and con.overrides[keyText] or {}
    local b = buckets[id]
    local ready = b and b.f.ready or tonumber(redis.call('HGET', key.bucket .. id, field.bucket.ready) or 0)
    local most, what = own.max_ready or con.max_ready, own.overflow or con.overflow
    local over = ready + 1 - most
    if over <= 0 then
        return nil
    elseif con.mode == 'observe' then
        if redis.call('EXISTS', key.bucket .. id) == 1 then
            add(bucketOf(id), field.bucket.would, 1)
        end
        return nil
    end
    return most <= 0 and what == 'drop_oldest' and 'reject' or what, over, number
end

-- The newest ready job of this name in a bucket's backlog, looking at the last limit.backlog_dropped jobs.
local function newestOf(id, name)
    for _, job in ipairs(redis.call('ZRANGE', key.backlog .. id, -limit.backlog_dropped, -1, 'REV')) do
        local h = readHead(job)
        if h and h.name == name then
            return job
        end
    end
    return nil
end

-- Cancels a ready job to make room.
local function drop(id)
    local h, s = readHead(id), readState(id) or { [field.state] = ST_READY }
    if not h or s.state ~= ST_READY then
        return false
    end
    leavePlace(id, s, h)
    readInto(s, id, SPECIAL_FIELDS)
    endUnstarted(id, h, s, ST_CANCELLED, 'dropped', 'Newer jobs took its place in a full backlog.')
    return true
end

-- Makes room for a job that carries these buckets. `atOnce`: it becomes ready now. Returns the answer when the job is not to be pushed,
-- else nil.
function Backlog.admit(bk, h, atOnce)
    settleLanes()
    local carried, drops = cmsgpack.unpack(bk), {}
    for i = 1, #carried, 3 do
        local what, _, number = overflow(carried[i], carried[i + 2])
        local place_ = what == 'coalesce' and newestOf(carried[i], h.name)
        if place_ then
            return coalesce(place_, h.keep)
        elseif what == 'drop_oldest' and atOnce then
            drops[#drops + 1] = { carried[i], carried[i + 2] }
        elseif what and what ~= 'drop_oldest' then
            return 'BACKLOG_FULL ' .. number .. ' ' .. carried[i + 2]
        end
    end
    for _, one in ipairs(drops) do
        settleLanes()
        local _, over = overflow(one[1], one[2]) -- what was dropped for another backlog may have made room in this one
        for _, id in ipairs(over and redis.call('ZRANGE', key.backlog .. one[1], 0, math.min(over, limit.backlog_dropped) - 1) or {}) do
            drop(id)
        end
    end
    return nil
end
