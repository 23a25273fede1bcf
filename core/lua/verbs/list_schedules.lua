#!lua flags=no-writes
-- A page of schedules by id. It ends early when it becomes long: a schedule holds its job's argument.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many
-- ARGV[2] the id before ('' for the first page)
-- Reply now, 0, whether the page is the last (0 or 1), schedules (pieces/schedule.lua) without their firings.
-- include base
-- include schedule

local wanted = tonumber(ARGV[1])
local ids = redis.call('ZRANGEBYLEX', key.schedule_ids, ARGV[2] == '' and '-' or '(' .. ARGV[2], '+', 'LIMIT', 0, wanted + 1)
local rows, bytes = {}, 0
for i = 1, math.min(#ids, wanted) do
    local row = describe(scheduleHash(ids[i]), false)
    rows[i] = row
    bytes = bytes + #row[1][8]
    if bytes >= limit.schedules_page_bytes then
        break
    end
end
return { now, 0, #ids > #rows and 0 or 1, rows }
