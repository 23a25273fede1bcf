#!lua flags=no-writes
-- Gives a page of schedules by id. A page may be shorter than asked for, because schedules with large arguments make it long.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many at most
-- ARGV[2] the last id of the page before ('' for the first page)
-- Reply now, 0, whether the page is the last (0 or 1), schedules (pieces/schedule.lua) without their firings.
-- include base
-- include schedule

local wanted = tonumber(ARGV[1])
local ids = redis.call('ZRANGEBYLEX', key.schedule_ids, ARGV[2] == '' and '-' or '(' .. ARGV[2], '+', 'LIMIT', 0, wanted + 1)
local rows, bytes = {}, 0
for i = 1, math.min(#ids, wanted) do
    local row = describe(scheduleHash(ids[i]), false)
    rows[i] = row
    bytes = bytes + #row[1][D_DEFINITION]
    if bytes >= limit.schedules_page_bytes then
        break
    end
end
return { now, 0, #ids > #rows and 0 or 1, rows }
