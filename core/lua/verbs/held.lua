#!lua library=limits flags=no-writes
-- Lists buckets that hold back ready jobs that carry them, even if the lanes of these jobs wait at another bucket. If a constraint has more
-- buckets than may be looked at, only those at which lanes wait are looked at.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many buckets to look at
-- ARGV[2…] constraints' numbers
-- Reply now, whether all buckets were looked at (0 or 1), for each that holds jobs {bucket, key, how many jobs, how much is used (inUse()),
--       opens at (0: not known), whether `used` is the sum over all keys (0 or 1), the smallest id among the heads of the lanes that were
--       looked at and carry it (empty: none), how many of the jobs are in lanes that wait at this bucket and at no other}, how many jobs
--       a bucket holds though their lanes wait at none that does: no claim has met them since it closed.
-- include base
-- include lanes
-- include bucket
-- include admission

-- A bucket's jobs may wait at another bucket, or be in the ready indexes until a claim looks at them. So the oldest job of a bucket is the
-- oldest head of all lanes that carry it: those that wait at the buckets that are looked at, and the first ones of the indexes.
local oldest = {}

-- Notes the head of an entry's lane. Returns the buckets that the lane carries, and the lane.
local function noteLane(member, fair)
    local at = fair and 17 or 1 -- the head's id comes after the tag (pieces/turns.lua)
    local id, place_ = string.sub(member, at, at + 15), string.sub(member, at + 16)
    local info = string.sub(place_, 1, 1) ~= 'b' and laneInfo(place_)
    local carried = info and info[4] or {}
    for i = 1, #carried, 3 do
        local before = oldest[carried[i]]
        oldest[carried[i]] = before and precedes(before, id) and before or id
    end
    return carried, place_
end

local unmet, known = 0, {}

-- Whether a bucket that a lane carries holds it back.
local function isHeld(carried)
    for i = 1, #carried, 3 do
        local at = carried[i] .. '|' .. carried[i + 1]
        if known[at] == nil then
            known[at] = holdsBack(bucketOf(carried[i]), carried[i + 1])
        end
        if known[at] then
            return true
        end
    end
    return false
end

for _, index in ipairs({ key.ready, key.ready_in_turn }) do
    for _, member in ipairs(redis.call('ZRANGE', index, 0, limit.items - 1)) do
        local carried, lane = noteLane(member, index == key.ready_in_turn)
        unmet = unmet + (isHeld(carried) and redis.call('ZCARD', key.lane .. lane) or 0)
    end
end

local left, all, rows = tonumber(ARGV[1]), 1, {}
for at = 2, #ARGV do
    local ids
    if redis.call('SCARD', key.constraint_buckets .. ARGV[at]) <= left then
        ids = redis.call('SRANDMEMBER', key.constraint_buckets .. ARGV[at], left)
    else
        ids = redis.call('ZRANGE', key.constraint_waiting .. ARGV[at], 0, left)
        all = 0
    end
    for i = 1, math.min(#ids, left) do
        local b = bucketOf(ids[i])
        local groups = redis.call('HGETALL', key.bucket_groups .. b.id)
        local closed, jobs, opensFirst, open = nil, 0, nil, false
        for g = 1, #groups, 2 do
            local cost, fair = string.match(groups[g], '|(%d+)(f?)$')
            local held, opens = holdsBack(b, tonumber(cost))
            open = open or not held
            if held then
                closed = math.min(tonumber(cost), closed or math.huge)
                opensFirst = opens and math.min(opens, opensFirst or opens) or opensFirst
            end
            for _, member in ipairs(redis.call('ZRANGE', key.bucket_waiting .. b.id .. '|' .. groups[g], 0, limit.items - 1)) do
                local carried, lane = noteLane(member, fair == 'f')
                if held then
                    jobs = jobs + redis.call('ZCARD', key.lane .. lane)
                elseif isHeld(carried) then
                    unmet = unmet + redis.call('ZCARD', key.lane .. lane)
                end
            end
        end
        if not groups[1] and (b.f.ready or 0) > 0 then
            local held, opens = holdsBack(b, 1)
            closed, opensFirst = held and 1 or nil, opens
        end
        if closed then
            local used, together = inUse(b, closed)
            rows[#rows + 1] = { b.id, b.f.key or '', open and jobs or math.max(jobs, b.f.ready or 0), used, opensFirst or 0, together,
                '', jobs }
        end
    end
    left = left - math.min(#ids, left)
    if left <= 0 then
        all = at < #ARGV and 0 or all
        break
    end
end
for _, row in ipairs(rows) do
    row[7] = oldest[row[1]] or ''
end
return { now, all, rows, unmet }
