#!lua
-- Makes or changes a group of jobs, or only reads it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] name
-- ARGV[3] what to do (get or change)
-- ARGV[4] open (0 or 1, '' unchanged)
-- ARGV[5] the push of its callback, packed as a list of pushes ('' unchanged)
-- ARGV[6] the callback's id
-- Reply now, transaction, fields of the group (flat) or the word NOT_FOUND, hints.
-- include base
-- include ends

local hash = redis.sha1hex(ARGV[2])
local itsKey = key.group .. hash
if ARGV[3] == 'get' then
    if redis.call('EXISTS', itsKey) == 0 then
        return { now, 0, 'NOT_FOUND', hints(0) }
    end
    return { now, 0, redis.call('HGETALL', itsKey), hints(0) }
end
if redis.call('HSETNX', itsKey, field.group.name, ARGV[2]) == 1 then
    redis.call('HSET', itsKey, field.group.made, now)
    redis.call('ZADD', key.groups, now + limit.group_kept_ms, hash) -- a group that never gets a job is deleted, too
end
if ARGV[4] ~= '' then
    redis.call('HSET', itsKey, field.group.open, ARGV[4])
end
if ARGV[5] ~= '' then
    redis.call('HSET', itsKey, field.group.callback, ARGV[5], field.group.callback_id, ARGV[6])
    redis.call('HDEL', itsKey, field.group.refused)
end
groupMayCall(hash)
followUp(limit.items)
local transaction = commit(ARGV[1])
return { now, transaction, redis.call('HGETALL', itsKey), hints(0) }
