#!lua flags=no-writes
-- A page of the audit, the newest entry first.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id of the entry before which the page begins ('': the newest is the first)
-- ARGV[2] time before which no entry was stored, ms
-- ARGV[3] how many at most
-- Reply now, for each id, its fields and values.
-- include base

local from = ARGV[1] == '' and '+' or '(' .. ARGV[1]
return { now, redis.call('XREVRANGE', key.audit, from, ARGV[2], 'COUNT', ARGV[3]) }
