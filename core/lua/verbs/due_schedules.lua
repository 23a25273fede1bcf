#!lua flags=no-writes
-- Lists the schedules that are due, at most limit.schedules_due, the longest due first.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many of the longest due to leave out
-- Reply now, 0, for each {id, revision, due, recurrence, missed, missed_most}, when the next of the others is due (0: none).
-- include base
-- include schedule

local rows = {}
for i, id in ipairs(redis.call('ZRANGEBYSCORE', key.schedules, '-inf', now, 'LIMIT', ARGV[1], limit.schedules_due)) do
    rows[i] = redis.call('HMGET', key.schedule .. scheduleHash(id), field.schedule.id, field.schedule.revision, field.schedule.next,
        field.schedule.recurrence, field.schedule.missed, field.schedule.missed_most)
end
local coming = redis.call('ZRANGEBYSCORE', key.schedules, '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { now, 0, rows, tonumber(coming[2] or 0) }
