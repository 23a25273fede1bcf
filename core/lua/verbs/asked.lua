#!lua
-- Stores which names the workers of an engine ask for, which explanations show, and deletes what is stored of engines that are gone. No job
-- changes.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] what its workers ask for, packed by C++ ('': no worker asks)
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
    redis.call('PEXPIRE', itsKey, limit.asked_kept_ms) -- all of it is too old then, if no engine writes before
end
return { now }
