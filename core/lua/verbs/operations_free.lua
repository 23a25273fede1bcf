#!lua flags=no-writes
-- Gives the operations that run and that no master works on.
-- KEYS[1] the namespace's prefix
-- Reply now, 0, operations.
-- include base

return { now, 0, redis.call('ZRANGEBYSCORE', key.operating, '-inf', now) }
