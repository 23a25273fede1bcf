#!lua flags=no-writes
-- One page of the jobs of a set, newest first: tracked, trash, or those that failed as a group says.
-- KEYS[1] prefix. ARGV: the set, limit, whether there is a row before (0 or 1), its order, its id, bytes of each record to read (0: all).
-- Reply: now, total, end (0 or 1), rows as in page.lua.
-- include base
-- include page

local key, wanted, cutAt = P .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[6])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local found = Page.range(key, Page.start(key, after, true), wanted + 1, true)
return { now, redis.call('ZCARD', key), Page.rows(found, wanted, cutAt) }
