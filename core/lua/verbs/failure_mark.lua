#!lua
-- Resolves a group of failures, opens it again, or mutes it, for an operator. A resolved group opens by itself at its next failure.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] signature
-- ARGV[3] state (o open, r resolved, '' unchanged)
-- ARGV[4] muted until (ms, 0: not; '' unchanged)
-- Reply now, transaction, whether there is such a group (0 or 1).
-- include base

local itsKey = key.failure_group .. ARGV[2]
if redis.call('EXISTS', itsKey) == 0 then
    return { now, 0, 0 }
end
if ARGV[3] == 'r' then
    redis.call('HSET', itsKey, field.failure_group.state, 'r', field.failure_group.resolved, now)
elseif ARGV[3] == 'o' then
    redis.call('HSET', itsKey, field.failure_group.state, 'o')
end
if ARGV[4] == '0' then
    redis.call('HDEL', itsKey, field.failure_group.muted)
elseif ARGV[4] ~= '' then
    redis.call('HSET', itsKey, field.failure_group.muted, ARGV[4])
end
return { now, commit(ARGV[1]), 1 }
