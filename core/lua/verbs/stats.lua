#!lua flags=no-writes
-- Gives the statistics of a UTC day: of one name, or of a page of names.
-- KEYS[1] the namespace's prefix
-- ARGV[1] name ('' for all)
-- ARGV[2] day (days since 1970; '' for today)
-- ARGV[3] limit
-- ARGV[4] the name to go on after ('': begin with the first)
-- Reply now, day, whether this is the last page (0 or 1), rows {name, counters packed as in pieces/measures.lua}.
-- include base

local name, wanted = ARGV[1], tonumber(ARGV[3])
local day = ARGV[2] ~= '' and tonumber(ARGV[2]) or math.floor(now / 86400000)
local function member(of)
    local nameNo = redis.call('HGET', key.name_numbers, of)
    return nameNo and string.format('%d:%s', day, nameNo)
end
if name ~= '' then
    local of = member(name)
    return { now, day, 1, of and { { name, redis.call('GET', key.day_stats .. of) or '' } } or {} }
end
local of = ARGV[4] ~= '' and member(ARGV[4])
local rank = of and redis.call('ZRANK', key.stats, of)
local from = rank and rank + 1 or redis.call('ZCOUNT', key.stats, '-inf', '(' .. day)
local found = redis.call('ZRANGE', key.stats, from, from + wanted, 'WITHSCORES')
local rows = {}
for i = 1, #found, 2 do
    if tonumber(found[i + 1]) == day then
        rows[#rows + 1] = found[i]
    end
end
local last = #rows <= wanted and 1 or 0
rows[wanted + 1] = nil
for i, each in ipairs(rows) do
    rows[i] = { redis.call('HGET', key.names, string.match(each, ':(.*)$')) or '', redis.call('GET', key.day_stats .. each) or '' }
end
return { now, day, last, rows }
