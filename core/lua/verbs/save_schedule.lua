#!lua
-- Makes or changes a schedule. As long as its recurrence and its pause do not change, it keeps its next due time, so that a save loses no
-- firing.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] expected revision ('' any, '0' no schedule)
-- ARGV[4] recurrence
-- ARGV[5] definition
-- ARGV[6] missed
-- ARGV[7] missed_most
-- ARGV[8] overlap
-- ARGV[9] record of its jobs
-- ARGV[10] delay of its jobs (ms)
-- ARGV[11] options of its jobs
-- ARGV[12] paused (0 or 1, '' unchanged)
-- ARGV[13] when it is due next, from now on
-- Reply now, transaction, the schedule and what it was before, nothing when it is new (both pieces/schedule.lua; what it was is without its
--       firings); or now, transaction, a word (REVISION, FULL).
-- include base
-- include schedule

local id, paused, next_ = ARGV[2], ARGV[12], tonumber(ARGV[13])
local hash = scheduleHash(id)
local itsKey = key.schedule .. hash
local before = redis.call('HMGET', itsKey, field.schedule.revision, field.schedule.recurrence, field.schedule.paused, field.schedule.next)
local word = unexpected(before[1], ARGV[3])
if not word and not before[1] and redis.call('ZCARD', key.schedule_ids) >= limit.schedules then
    word = 'FULL'
end
if word then
    return { now, 0, word }
end
local was = describe(hash, false)
if paused == '' then
    paused = before[3] or '0'
end
redis.call('HSET', itsKey, field.schedule.id, id, field.schedule.revision, (before[1] or 0) + 1, field.schedule.updated, now,
    field.schedule.paused, paused, field.schedule.recurrence, ARGV[4], field.schedule.definition, ARGV[5], field.schedule.missed, ARGV[6],
    field.schedule.missed_most, ARGV[7], field.schedule.overlap, ARGV[8], field.schedule.record, ARGV[9], field.schedule.delay, ARGV[10],
        field.schedule.options, ARGV[11])
redis.call('HSETNX', itsKey, field.schedule.created, now)
redis.call('ZADD', key.schedule_ids, 0, id)
if paused == '1' then
    setNext(hash, id, 0)
elseif before[2] ~= ARGV[4] or before[3] ~= '0' then
    setNext(hash, id, next_)
end
return { now, commit(ARGV[1], field.changed.schedules), describe(hash, true), was }
