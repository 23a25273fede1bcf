#!lua
-- Reads and writes, so that /readyz fails when jobs could not be stored.
-- KEYS[1] the namespace's prefix
-- Reply now.
-- include base

redis.call('SET', key.probe, now, 'PX', 10000)
return { now }
