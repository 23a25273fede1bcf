#!lua flags=no-writes
-- Lists names in the order of their first enqueue, with their counts.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many at most
-- ARGV[2] the name to go on after ('': begin with the first)
-- Reply now, for each {name, ready jobs, totals (flat)}.
-- include base
-- include paging

local first = 1
if ARGV[2] ~= '' then
    first = tonumber(redis.call('HGET', key.name_numbers, ARGV[2]) or 0) + 1
end
local last = math.min(tonumber(redis.call('GET', key.last_number) or 0), first + tonumber(ARGV[1]) - 1)
local rows = {}
for nameNo = first, last do
    local ready = 0
    for _, itsKey in ipairs(Page.readyKeys(nameNo)) do
        ready = ready + redis.call('ZCARD', itsKey)
    end
    rows[#rows + 1] = { redis.call('HGET', key.names, nameNo), ready,
        redis.call('HGETALL', key.name_totals .. nameNo) }
end
return { now, rows }
