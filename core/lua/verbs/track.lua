#!lua library=limits
-- Stars a job, or takes its star away. A starred job is not purged; at most limit.tracked jobs have a star.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] tracked (0 or 1)
-- Reply now, transaction, the word DONE, NOT_FOUND or CONFLICT (too many).
-- include base
-- include retaining

local id, state = ARGV[2], key.state .. ARGV[2]
if redis.call('EXISTS', key.job .. id) == 0 then
    return { now, 0, 'NOT_FOUND' }
end
if ARGV[3] == '0' then
    local was = redis.call('ZREM', key.tracked, id) == 1
    redis.call('HDEL', state, field.tracked)
    if was and redis.call('ZSCORE', key.purge, id) then -- the star may have put off its purge: give it its own time again
        local ended = redis.call('HMGET', state, field.state, field.finished)
        justEnded[1] = { id, tonumber(ended[1]), tonumber(ended[2]) }
    end
    return { now, commit(ARGV[1]), 'DONE' }
end
if redis.call('ZCARD', key.tracked) >= limit.tracked and not redis.call('ZSCORE', key.tracked, id) then
    return { now, 0, 'CONFLICT' }
end
redis.call('ZADD', key.tracked, 'NX', now, id)
redis.call('HSETNX', state, field.state, ST_READY)
redis.call('HSET', state, field.tracked, 1)
return { now, commit(ARGV[1]), 'DONE' }
