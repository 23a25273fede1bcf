-- The kinds of constraint, a file each in core/lua/kinds. What a kind may say, all of it optional (`b` is a bucket, `c` the constraint):
--   admits(b, cost)          whether a job of this cost may start, and when it may if not
--   holds(b, cost)           if not, what is used or kept already, and whether that is of all keys together
--   charge(b, cost, id, token), uncharge(b, cost, id, how, after_ms, token, started)   a job that carries it starts, or its attempt ends
--   counted(b, n, jobs)      n ready jobs came, or went
--   starts                   it counts starts, not what runs
--   idle(b)                  when a bucket without jobs may be forgotten
--   keeps                    names of keys that it has for each bucket besides
--   changed(number, c)       the constraint got other parameters; follows(c), follow(b, since), followRunning(b, id, since): what the sweep
--                            does about that, where it is too much for one call (follow.lua)
--   forget(number)           the constraint is gone
-- include bucket

local kinds = {}

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

-- include kinds/*
-- A constraint got parameters, or lost them all: what buckets keep by the old ones follows, and who waits is looked at again. Called once
-- the new ones are in `con`, before any bucket was looked at.
local function constraintChanged(number)
    constraints[number] = nil
    reopening[number] = true
    local con = constraintOf(number)
    local kind = con and kinds[con.kind]
    if kind and kind.changed then
        kind.changed(number, con)
    end
    for _, each in pairs(not con and kinds or {}) do
        if each.forget then
            each.forget(number)
        end
    end
end
