-- Recurring jobs. `sch` holds those that will fire by their due time, `sch_ids` all of them by id; sch:<hash of the id> is a hash:
--   id · rev revision · ca created · ua updated · pa paused (0, 1) · nx next due (0: none) · rc recurrence, def title, mi missed, mx its
--   bound and the job as it was given (packed by C++; `rc` is compared as a whole) · ov overlap (0 allow, 1 skip, 2 replace) · rec dl op
--   the push of a firing: record, delay, options · lj last job · fi si totals of jobs made and skipped
-- and schr:<hash> a list of its latest firings.
local SCHEDULES, SCHEDULE_IDS = P .. 'sch', P .. 'sch_ids'
local RUN_ENQUEUED, RUN_SKIPPED, RUN_PASSED_OVER, RUN_REFUSED = 0, 1, 2, 3
local DESCRIBED = { 'id', 'rev', 'ca', 'ua', 'pa', 'nx', 'rc', 'def', 'ov', 'mi', 'mx', 'lj', 'fi', 'si' }

local function scheduleHash(id)
    return redis.sha1hex(id)
end

-- The state of a job, or nothing when its record is gone or in the trash.
local function jobState(id)
    local s = redis.call('HMGET', P .. 's:' .. id, 'st', 'tr')
    if s[2] then
        return nil
    end
    return tonumber(s[1] or redis.call('EXISTS', P .. 'j:' .. id) == 1 and ST_READY or nil)
end

-- What C++ reads of one schedule: its fields, its last job's state (0: unknown), its latest firings if they are wanted.
local function describe(hash, withRuns)
    local key = P .. 'sch:' .. hash
    local fields = redis.call('HMGET', key, unpack(DESCRIBED))
    if not fields[1] then
        return nil
    end
    return { fields, fields[12] and jobState(fields[12]) or 0, withRuns and redis.call('LRANGE', P .. 'schr:' .. hash, 0, -1) or {} }
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
    redis.call('HSET', P .. 'sch:' .. hash, 'nx', at)
    if at > 0 then
        redis.call('ZADD', SCHEDULES, at, id)
    else
        redis.call('ZREM', SCHEDULES, id)
    end
end
