#!lua flags=no-writes
-- Gives a page of matchers by id; none if the caller has them all.
-- KEYS[1] the namespace's prefix
-- ARGV[1] the last id of the page before ('' for the first page)
-- ARGV[2] the version of the matchers that the caller has: if it is the present one, the page is empty
-- Reply now, version, epoch, whether this is the last page (0 or 1), for each {id, packed, revision, edited at, by whom, {constraint,
--       number, …}}.
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
