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
-- The name's entry of the day in key.stats, "<day>:<name's number>"; false when the name is unknown.
local function entryOf(itsName)
    local nameNo = redis.call('HGET', key.name_numbers, itsName)
    return nameNo and string.format('%d:%s', day, nameNo)
end
if name ~= '' then
    local entry = entryOf(name)
    return { now, day, 1, entry and { { name, redis.call('GET', key.day_stats .. entry) or '' } } or {} }
end
local after = ARGV[4] ~= '' and entryOf(ARGV[4])
local rank = after and redis.call('ZRANK', key.stats, after)
local from = rank and rank + 1 or redis.call('ZCOUNT', key.stats, '-inf', '(' .. day)
local found = redis.call('ZRANGE', key.stats, from, from + wanted, 'WITHSCORES') -- one more than wanted, to see whether others follow
local entries = {}
for i = 1, #found, 2 do
    if tonumber(found[i + 1]) == day then
        entries[#entries + 1] = found[i]
    end
end
local rows = {}
for i = 1, math.min(#entries, wanted) do
    local nameNo = string.match(entries[i], ':(.*)$')
    rows[i] = { redis.call('HGET', key.names, nameNo) or '', redis.call('GET', key.day_stats .. entries[i]) or '' }
end
return { now, day, #entries <= wanted and 1 or 0, rows }
