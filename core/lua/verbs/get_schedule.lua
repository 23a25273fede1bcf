#!lua flags=no-writes
-- One schedule with its latest firings.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- Reply now, 0, the schedule (pieces/schedule.lua) or the word NOT_FOUND.
-- include base
-- include schedule

return { now, 0, describe(scheduleHash(ARGV[1]), true) or 'NOT_FOUND' }
