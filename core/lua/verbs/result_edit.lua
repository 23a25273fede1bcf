#!lua flags=allow-oom
-- Discards a kept result, or keeps it for another time from now on, for an operator.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] ttl (ms, 0: discard it)
-- Reply now, transaction, whether there was a result (0 or 1).
-- include base

local id, ttl = ARGV[2], tonumber(ARGV[3])
if redis.call('EXISTS', key.result .. id) == 0 then
    return { now, 0, 0 }
end
if ttl == 0 then
    redis.call('DEL', key.result .. id, key.receipt .. id, key.result_owner .. id)
    redis.call('ZREM', key.results, id)
else
    redis.call('PEXPIRE', key.result .. id, ttl)
    redis.call('PEXPIRE', key.result_owner .. id, ttl + limit.receipt_ms)
    redis.call('ZADD', key.results, now + ttl, id)
end
return { now, commit(ARGV[1]), 1 }
