#!lua flags=no-writes
-- Groups of failures, the last seen first; or one of them.
-- KEYS[1] the namespace's prefix
-- ARGV[1] signature ('' for a page)
-- ARGV[2] limit
-- ARGV[3] whether there is a row before (0 or 1)
-- ARGV[4] its order
-- ARGV[5] its signature
-- Reply now, end (0 or 1), rows {signature, last, its fields (flat), jobs failed now, trend}.
-- include base
-- include paging

local function row(signature, last)
    return { signature, last, redis.call('HGETALL', key.failure_group .. signature), redis.call('ZCARD', key.failure_jobs .. signature),
        redis.call('GET', key.failure_trend .. signature) or '' }
end

if ARGV[1] ~= '' then
    local last = redis.call('ZSCORE', key.failure_groups, ARGV[1])
    return { now, 1, last and { row(ARGV[1], last) } or {} }
end
local wanted = tonumber(ARGV[2])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local found = Page.range(key.failure_groups, Page.start(key.failure_groups, after, true), wanted + 1, true)
local rows = {}
for i = 1, math.min(#found, 2 * wanted), 2 do
    rows[#rows + 1] = row(found[i], found[i + 1])
end
return { now, #found > 2 * wanted and 0 or 1, rows }
