#!lua flags=no-writes
-- A page of matchers by id.
-- KEYS[1] the namespace's prefix
-- ARGV[1] the id before ('' for the first page)
-- ARGV[2] a version whose matchers the caller has (no rows then)
-- Reply now, version, epoch, end (0 or 1), for each {id, packed, revision, edited at, by whom, {constraint, number, …}}.
-- include base
-- include matcher

local version = redis.call('GET', key.matcher_version) or '0'
local ids = {}
if ARGV[2] ~= version then
    ids = redis.call('ZRANGEBYLEX', key.matcher_ids, ARGV[1] == '' and '-' or '(' .. ARGV[1], '+', 'LIMIT', 0, limit.items + 1)
end
local rows = {}
for i = 1, math.min(#ids, limit.items) do
    rows[i] = { ids[i], unpack(matcherRow(ids[i])) }
end
local epoch = tonumber(redis.call('GET', key.epoch) or 0)
return { now, tonumber(version), epoch, #ids > #rows and 0 or 1, rows }
