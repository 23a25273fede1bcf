#!lua flags=no-writes
-- Gives a page of the groups of failures, latest first; or one group.
-- KEYS[1] the namespace's prefix
-- ARGV[1] signature ('' for a page)
-- ARGV[2] limit
-- ARGV[3] whether the page begins after a row (0 or 1)
-- ARGV[4] that row's order
-- ARGV[5] that row's signature
-- ARGV[6] whether to give the trends of the workers, too (0 or 1)
-- Reply now, whether this is the last page (0 or 1), rows {signature, time of the last failure, its fields (flat), how many of its jobs are
--       failed now, trend}, the trends of the workers in these rows {worker, trend, worker, trend, …}.
-- include base
-- include paging

local function row(signature, last)
    return { signature, last, redis.call('HGETALL', key.failure_group .. signature), redis.call('ZCARD', key.failure_jobs .. signature),
        redis.call('GET', key.failure_trend .. signature) or '' }
end

if ARGV[1] ~= '' then
    local last = redis.call('ZSCORE', key.failure_groups, ARGV[1])
    return { now, 1, last and { row(ARGV[1], last) } or {}, {} }
end

local trends, seen, prefix = {}, {}, field.failure_group.of_worker

-- Adds the trends of a row's workers, of each worker once.
local function addTrends(fields)
    for i = 1, #fields, 2 do
        local worker = string.sub(fields[i], 1, #prefix) == prefix and string.sub(fields[i], #prefix + 1)
        if worker and not seen[worker] then
            seen[worker] = true
            trends[#trends + 1] = worker
            trends[#trends + 1] = redis.call('GET', key.failure_worker .. redis.sha1hex(worker)) or ''
        end
    end
end

local wanted = tonumber(ARGV[2])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local found = Page.range(key.failure_groups, Page.start(key.failure_groups, after, true), wanted + 1, true)
local rows = {}
for i = 1, math.min(#found, 2 * wanted), 2 do
    rows[#rows + 1] = row(found[i], found[i + 1])
    if ARGV[6] == '1' then
        addTrends(rows[#rows][3])
    end
end
return { now, #found > 2 * wanted and 0 or 1, rows, trends }
