#!lua flags=no-writes
-- Gives a frozen view with some of its rows.
-- KEYS[1] the namespace's prefix
-- ARGV[1] view
-- ARGV[2] offset of the first row
-- ARGV[3] limit
-- ARGV[4] how many bytes of each record to read (0: all)
-- Reply now, how many ids it has, 1 or the word NOT_FOUND, rows as in page.lua (a job that is gone has an empty record), its fields
--       {definition, as_of, count, state}, ids of the rows as one text, how long it still lives (ms, negative: until its operations ended).
-- include base
-- include paging
-- include views

local fields = redis.call('HMGET', key.view .. ARGV[1], field.view.definition, field.view.as_of, field.view.count, field.view.state)
if not fields[3] then
    return { now, 0, 'NOT_FOUND' }
end
local ids, found = '', {}
local wanted = math.min(tonumber(ARGV[3]), tonumber(fields[3]) - tonumber(ARGV[2]))
if wanted > 0 then
    ids = viewIds(ARGV[1], tonumber(ARGV[2]), wanted)
end
for at = 1, #ids, 16 do
    found[#found + 1], found[#found + 2] = string.sub(ids, at, at + 15), '0'
end
local _, rows = Page.rows(found, #found / 2, tonumber(ARGV[4]))
return { now, fields[3], 1, rows, fields, string.sub(ids, 1, 16 * #rows), redis.call('PTTL', key.view .. ARGV[1]) }
