#!lua flags=allow-oom
-- Pauses, resumes or deletes a schedule.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] verb (pause, resume, delete)
-- ARGV[4] expected revision ('' any)
-- ARGV[5] when it is due next, from now on (resume only)
-- ARGV[6] the recurrence from which that was computed (resume only)
-- Reply now, transaction, the schedule (a deleted one as it was) and what it was before (both pieces/schedule.lua; what it was is without
--       its firings); or now, transaction, a word (NOT_FOUND, REVISION; CONFLICT: its recurrence is another one now).
-- include base
-- include schedule

local id, verb = ARGV[2], ARGV[3]
local hash = scheduleHash(id)
local itsKey = key.schedule .. hash
local before = redis.call('HMGET', itsKey, field.schedule.revision, field.schedule.recurrence, field.schedule.paused)
local word = not before[1] and 'NOT_FOUND' or unexpected(before[1], ARGV[4])
if not word and verb == 'resume' and before[2] ~= ARGV[6] then
    word = 'CONFLICT'
end
if word then
    return { now, 0, word }
end
local was = describe(hash, false)
if verb == 'delete' then
    local described = describe(hash, true)
    redis.call('ZREM', key.schedules, id)
    redis.call('ZREM', key.schedule_ids, id)
    redis.call('UNLINK', itsKey, key.schedule_runs .. hash)
    return { now, commit(ARGV[1], field.changed.schedules), described, was }
end
local paused = verb == 'pause' and '1' or '0'
if before[3] ~= paused then
    redis.call('HSET', itsKey, field.schedule.paused, paused, field.schedule.revision, before[1] + 1, field.schedule.updated, now)
    setNext(hash, id, verb == 'pause' and 0 or tonumber(ARGV[5]))
end
return { now, commit(ARGV[1], field.changed.schedules), describe(hash, true), was }
