#!lua flags=no-writes
-- Some jobs as lists show them; those that are gone are left out.
-- KEYS[1] prefix. ARGV: bytes of each record to read (0: all), ids.
-- Reply: now, how many, 1, rows as in page.lua.
-- include base
-- include page

local found = {}
for at = 2, #ARGV do
    if redis.call('EXISTS', P .. 'j:' .. ARGV[at]) == 1 then
        found[#found + 1], found[#found + 2] = ARGV[at], '0'
    end
end
return { now, #found / 2, Page.rows(found, #found / 2, tonumber(ARGV[1])) }
