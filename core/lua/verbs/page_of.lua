#!lua flags=no-writes
-- One page of the jobs of a set, newest first: tracked, trash, or those that failed as a group says.
-- KEYS[1] the namespace's prefix
-- ARGV[1] the set
-- ARGV[2] limit
-- ARGV[3] whether there is a row before (0 or 1)
-- ARGV[4] its order
-- ARGV[5] its id
-- ARGV[6] bytes of each record to read (0: all)
-- Reply now, total, end (0 or 1), rows as in page.lua.
-- include base
-- include paging

local itsKey, wanted, cutAt = P .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[6])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local found = Page.range(itsKey, Page.start(itsKey, after, true), wanted + 1, true)
return { now, redis.call('ZCARD', itsKey), Page.rows(found, wanted, cutAt) }
