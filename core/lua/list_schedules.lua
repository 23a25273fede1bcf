#!lua flags=no-writes
-- A page of schedules by id.
-- KEYS[1] prefix. ARGV: how many, the id before ('' for the first page).
-- Reply: now, 0, whether the page is the last (0 or 1), schedules (lib/schedule.lua) without their firings.
-- include base
-- include schedule

local wanted = tonumber(ARGV[1])
local ids = redis.call('ZRANGEBYLEX', SCHEDULE_IDS, ARGV[2] == '' and '-' or '(' .. ARGV[2], '+', 'LIMIT', 0, wanted + 1)
local rows = {}
for i = 1, math.min(#ids, wanted) do
    rows[i] = describe(scheduleHash(ids[i]), false)
end
return { now, 0, #ids > wanted and 0 or 1, rows }
