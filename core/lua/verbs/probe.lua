#!lua
-- Reads and writes, so that /readyz says what a job would meet.
-- KEYS[1] prefix. Reply: now.
-- include base

redis.call('SET', P .. 'probe', now, 'PX', 10000)
return { now }
