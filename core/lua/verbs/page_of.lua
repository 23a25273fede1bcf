#!lua flags=no-writes
-- Gives a page of the jobs in a set, newest first: the tracked jobs, the trash, or the failed jobs of a group of failures.
-- KEYS[1] the namespace's prefix
-- ARGV[1] the set's key without the prefix
-- ARGV[2] limit
-- ARGV[3] whether the page begins after a row (0 or 1)
-- ARGV[4] that row's order
-- ARGV[5] that row's id
-- ARGV[6] how many bytes of each record to read (0: all)
-- Reply now, total, whether this is the last page (0 or 1), rows as in page.lua, how many come after these.
-- include base
-- include paging

local itsKey, wanted, cutAt = P .. ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[6])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local start, total = Page.start(itsKey, after, true), redis.call('ZCARD', itsKey)
local last, rows = Page.rows(Page.range(itsKey, start, wanted + 1, true), wanted, cutAt)
return { now, total, last, rows, total - start - #rows }
