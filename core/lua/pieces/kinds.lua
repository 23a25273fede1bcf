-- The kinds of constraints, a file each in core/lua/kinds. A kind is a table with these members, all of them optional (`b` is a bucket, `c`
-- the constraint):
--   admits(b, cost)          whether a job of this cost may start; if not, when it may
--   paces(b, cost)           whether it holds most of its ready jobs though it admits one at this moment
--   holds(b, cost)           nil when it may start; else how much is used or reserved, and whether that is the sum over all keys
--   charge(b, cost, id, token)                             a job that carries the bucket starts
--   uncharge(b, cost, id, how, after_ms, token, started)   its attempt ends
--   counted(b, n, jobs)      n ready jobs that carry the bucket came (n < 0: left)
--   starts                   true: it counts starts, not what runs
--   running                  true: it limits what runs, so it admits no job until those that ran before a change are charged
--   idle(b)                  when a bucket without jobs may be deleted
--   keeps                    further families of keys that it has for each bucket
--   changed(number, c)       the constraint got other parameters
--   follows(c)               whether a change is followed up by the sweep, where it is too much for one call (follow.lua), by calls of
--   follow(b, since)         for each bucket, and
--   followRunning(b, id, since)   for each job that runs under one
--   forget(number)           the constraint was deleted
-- include bucket

local Kinds = {}

-- Calls `each` for the buckets of a constraint. If they are more than limit.share_keys, the sweep follows up instead (follow.lua).
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
            if not buckets[id] then -- a scan may return a member twice
                each(bucketOf(id))
            end
        end
    until cursor == '0'
end

-- include kinds/*
-- A constraint was made, changed or deleted: its kind updates what buckets keep, and the groups that wait are looked at again. To be called
-- when the new parameters are stored, before any bucket is read.
local function constraintChanged(number)
    constraints[number] = nil
    reopening[number] = true
    local con = constraintOf(number)
    local kind = con and Kinds[con.kind]
    if kind and kind.changed then
        kind.changed(number, con)
    end
    for _, each in pairs(not con and Kinds or {}) do
        if each.forget then
            each.forget(number)
        end
    end
end
