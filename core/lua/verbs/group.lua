#!lua library=jobs
-- Makes or changes a group of jobs, or only reads it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] name
-- ARGV[3] what to do (get or change)
-- ARGV[4] open (0 or 1, '' unchanged)
-- ARGV[5] the push of its callback, packed as a list of pushes ('' unchanged)
-- ARGV[6] the callback's id
-- ARGV[7] the caller's token ('' for none)
-- ARGV[8] whether that has only its own groups (0 or 1)
-- ARGV[9] shared (0 or 1, '' unchanged)
-- Reply now, transaction, fields of the group (flat) or a word (NOT_FOUND, GROUP: it is another token's), hints.
-- include base
-- include ends

local hash = redis.sha1hex(ARGV[2])
local itsKey = key.group .. hash
local onlyOwn = ARGV[8] == '1'
local isOthers = onlyOwn and isOthersGroup(hash, ARGV[7])
if ARGV[3] == 'get' then
    if redis.call('EXISTS', itsKey) == 0 or isOthers and not isSharedGroup(hash) then
        return { now, 0, 'NOT_FOUND', hints(0) }
    end
    return { now, 0, redis.call('HGETALL', itsKey), hints(0) }
end
if isOthers then
    return { now, 0, 'GROUP', hints(0) }
end
if useGroup(hash, ARGV[2], ARGV[7], onlyOwn) then
    redis.call('ZADD', key.groups, now + limit.group_kept_ms, hash) -- a group that never gets a job is deleted, too
end
if ARGV[4] ~= '' then
    redis.call('HSET', itsKey, field.group.open, ARGV[4])
end
if ARGV[9] ~= '' then
    redis.call('HSET', itsKey, field.group.shared, ARGV[9])
end
if ARGV[5] ~= '' then
    redis.call('HSET', itsKey, field.group.callback, ARGV[5], field.group.callback_id, ARGV[6])
    redis.call('HDEL', itsKey, field.group.refused)
end
groupMayCall(hash)
followUp(limit.items)
local transaction = commit(ARGV[1])
return { now, transaction, redis.call('HGETALL', itsKey), hints(0) }
