#!lua flags=no-writes
-- Gives the jobs that an operation left as they were.
-- KEYS[1] the namespace's prefix
-- ARGV[1] operation
-- ARGV[2] offset
-- ARGV[3] limit
-- Reply now, 0, whether there is the operation (0 or 1), how many are kept, entries: id (16 bytes) and reason.
-- include base

local skipped = redis.call('HGET', key.operation .. ARGV[1], field.operation.skipped)
return { now, 0, skipped and 1 or 0, math.min(tonumber(skipped or 0), limit.operation_skipped),
    redis.call('LRANGE', key.operation_skipped .. ARGV[1], ARGV[2], ARGV[2] + ARGV[3] - 1) }
