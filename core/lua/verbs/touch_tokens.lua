#!lua
-- Notes that tokens were used just now, each at most once in limit.token_used_ms.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] ids
-- Reply now, 0, OK.
-- include base

for at = 2, #ARGV do
    local used = tonumber(redis.call('HGET', key.token_uses, ARGV[at]) or 0)
    if now - used >= limit.token_used_ms and redis.call('HEXISTS', key.tokens, ARGV[at]) == 1 then
        redis.call('HSET', key.token_uses, ARGV[at], now)
    end
end
return { now, 0, 'OK' }
