#!lua flags=no-writes
-- What is left of a job that is gone before its result.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- Reply now, transaction, its fields (flat; none: nothing is left).
-- include base

return { now, 0, redis.call('HGETALL', key.result_owner .. ARGV[1]) }
