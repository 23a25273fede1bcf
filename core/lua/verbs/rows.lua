#!lua flags=no-writes
-- Gives the rows of some jobs as lists show them.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many bytes of each record to read (0: all)
-- ARGV[2…] ids
-- Reply now, how many, 1 if all rows are there and 0 if they became too long, rows as in page.lua; a job that is gone has an empty record.
-- include base
-- include paging

local found = {}
for at = 2, #ARGV do
    found[#found + 1], found[#found + 2] = ARGV[at], '0'
end
return { now, #found / 2, Page.rows(found, #found / 2, tonumber(ARGV[1])) }
