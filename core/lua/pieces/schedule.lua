-- Recurring jobs: those that will fire by their due time, all of them by id, each one with its latest firings.
local RUN_ENQUEUED, RUN_SKIPPED, RUN_PASSED_OVER, RUN_REFUSED = 0, 1, 2, 3
local DESCRIBED = { field.schedule.id, field.schedule.revision, field.schedule.created, field.schedule.updated, field.schedule.paused,
    field.schedule.next, field.schedule.recurrence, field.schedule.definition, field.schedule.overlap, field.schedule.missed,
    field.schedule.missed_most, field.schedule.last_job, field.schedule.fired, field.schedule.skipped }

local function scheduleHash(id)
    return redis.sha1hex(id)
end

-- The state of a job, or nothing when its record is gone or in the trash.
local function jobState(id)
    local s = redis.call('HMGET', key.state .. id, field.state, field.deleted)
    if s[2] then
        return nil
    end
    return tonumber(s[1] or redis.call('EXISTS', key.job .. id) == 1 and ST_READY or nil)
end

-- What C++ reads of one schedule: its fields, its last job's state (0: unknown), its latest firings if they are wanted.
local function describe(hash, withRuns)
    local itsKey = key.schedule .. hash
    local fields = redis.call('HMGET', itsKey, unpack(DESCRIBED))
    if not fields[1] then
        return nil
    end
    return { fields, fields[12] and jobState(fields[12]) or 0, withRuns and redis.call('LRANGE', key.schedule_runs .. hash, 0, -1) or {} }
end

-- `expected`: '' for any, '0' for missing, else a revision. Returns a word when the schedule is not as expected.
local function unexpected(revision, expected)
    if expected == '' or (revision or '0') == expected then
        return nil
    end
    return 'REVISION'
end

-- Sets when it falls due next; 0 is never.
local function setNext(hash, id, at)
    redis.call('HSET', key.schedule .. hash, field.schedule.next, at)
    if at > 0 then
        redis.call('ZADD', key.schedules, at, id)
    else
        redis.call('ZREM', key.schedules, id)
    end
end
