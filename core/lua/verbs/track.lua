#!lua
-- Stars a job, or takes its star away. A starred job is not purged; at most limit.tracked have one.
-- KEYS[1] prefix. ARGV: engine, id, tracked (0 or 1).
-- Reply: now, transaction, the word DONE, NOT_FOUND or CONFLICT (too many).
-- include base
-- include record
-- include failures
-- include retention

local id, state = ARGV[2], P .. 's:' .. ARGV[2]
if redis.call('EXISTS', P .. 'j:' .. id) == 0 then
    return { now, 0, 'NOT_FOUND' }
end
if ARGV[3] == '0' then
    local was = redis.call('ZREM', P .. 'tracked', id) == 1
    redis.call('HDEL', state, 'tk')
    if was and redis.call('ZSCORE', P .. 'purge', id) then -- its time may have been put off
        local ended = redis.call('HMGET', state, 'st', 'fi')
        Retention.ended[1] = { id, tonumber(ended[1]), tonumber(ended[2]) }
    end
    return { now, commit(ARGV[1]), 'DONE' }
end
if redis.call('ZCARD', P .. 'tracked') >= limit.tracked and not redis.call('ZSCORE', P .. 'tracked', id) then
    return { now, 0, 'CONFLICT' }
end
redis.call('ZADD', P .. 'tracked', 'NX', now, id)
redis.call('HSETNX', state, 'st', ST_READY)
redis.call('HSET', state, 'tk', 1)
return { now, commit(ARGV[1]), 'DONE' }
