-- Schedules (recurring jobs): `schedules` has those that will fire, by due time; `schedule_ids` has all, by id; each one has a hash and a
-- list of its latest firings.
local RUN_ENQUEUED, RUN_SKIPPED, RUN_PASSED_OVER, RUN_REFUSED = 0, 1, 2, 3
local DESCRIBED = { field.schedule.id, field.schedule.revision, field.schedule.created, field.schedule.updated, field.schedule.paused,
    field.schedule.next, field.schedule.recurrence, field.schedule.definition, field.schedule.overlap, field.schedule.missed,
    field.schedule.missed_most, field.schedule.last_job, field.schedule.fired, field.schedule.skipped }
local D_ID, D_DEFINITION, D_LAST_JOB = 1, 8, 12 -- places in DESCRIBED

local function scheduleHash(id)
    return redis.sha1hex(id)
end

-- The state of a job; nil when it was removed or is in the trash.
local function jobState(id)
    local s = redis.call('HMGET', key.state .. id, field.state, field.deleted)
    if s[2] then
        return nil
    end
    return tonumber(s[1] or redis.call('EXISTS', key.job .. id) == 1 and ST_READY or nil)
end

-- A schedule as C++ reads it: {its fields, the state of its last job (0: unknown), its latest firings if they are wanted}.
local function describe(hash, withRuns)
    local itsKey = key.schedule .. hash
    local fields = redis.call('HMGET', itsKey, unpack(DESCRIBED))
    if not fields[D_ID] then
        return nil
    end
    local lastJob = fields[D_LAST_JOB]
    return { fields, lastJob and jobState(lastJob) or 0, withRuns and redis.call('LRANGE', key.schedule_runs .. hash, 0, -1) or {} }
end

-- Returns a word when a schedule does not have the expected revision. `expected`: '' any, '0' no schedule, else a revision.
local function unexpected(revision, expected)
    if expected == '' or (revision or '0') == expected then
        return nil
    end
    return 'REVISION'
end

-- Sets when a schedule is due next; 0: never.
local function setNext(hash, id, at)
    redis.call('HSET', key.schedule .. hash, field.schedule.next, at)
    if at > 0 then
        redis.call('ZADD', key.schedules, at, id)
    else
        redis.call('ZREM', key.schedules, id)
    end
end
