#!lua
-- Keeps what the workers of an engine ask for, for explanations, and forgets what engines had said that are gone. No job changes.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] its record (empty: nobody asks for anything)
-- Reply now.
-- include base

local itsKey = key.asks
for _, engine in ipairs(redis.call('HRANDFIELD', itsKey, limit.items)) do
    if not redis.call('ZSCORE', key.engines, engine) then
        redis.call('HDEL', itsKey, engine)
    end
end
if ARGV[2] == '' then
    redis.call('HDEL', itsKey, ARGV[1])
else
    redis.call('HSET', itsKey, ARGV[1], ARGV[2])
    redis.call('PEXPIRE', itsKey, limit.asked_kept_ms) -- by then all of it is too old anyway
end
return { now }
