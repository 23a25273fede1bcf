#!lua library=jobs
-- Fires schedules: makes the job and sets the next due time. Several masters may ask for the same firing; only the first one finds the due
-- time and the revision that it read. By hand, a schedule fires at any time. A repeated call finds the job that it made.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: id, revision that was read ('' by hand), due time that was read (0 by hand), due time that the job is for (0: make no
--          job, only set the next due time), next due time, how many due times are passed over, the job's id, overlap ('': the schedule's)
-- Reply now, transaction, for each {outcome, job's id, its state} or a word (STALE: another master was first; NOT_FOUND, OVERLAP <id>,
--       REFUSED <why>), when the first of the jobs that were scheduled is due (0: none), hints.
-- include base
-- include record
-- include place
-- include state
-- include ends
-- include schedule

local nextDue = 0

-- Replaces the schedule's last job: if it waits it is cancelled, if it runs its worker is asked to stop it.
local function replace(id, state)
    local s = readState(id) or { [field.state] = state }
    local attempt = redis.call('HGET', key.state .. id, field.attempt)
    if state == ST_RUNNING or state == ST_AWAITING then
        if not s.cancel then
            redis.call('HSET', key.state .. id, field.cancel, 1)
            tell(id, 'cancel_requested', 'schedule', attempt, '')
        end
        return
    end
    leavePlace(id, s, readHead(id))
    tell(id, 'cancelled', 'schedule', attempt, '')
    finalise(id, ST_CANCELLED, s, { field.reason, 'replaced' })
    count(field.totals.cancelled, 1)
end

local function noteRun(hash, due, outcome, job, passedOver, why)
    local list = key.schedule_runs .. hash
    redis.call('LPUSH', list, cmsgpack.pack({ due, now, outcome, job, passedOver, why }))
    redis.call('LTRIM', list, 0, limit.schedule_runs - 1)
end

-- Makes the job of one firing. Returns the outcome, the job, its state and, if it was refused, why.
local function makeJob(itsKey, v, job, overlap)
    local state = v.last_job and jobState(v.last_job)
    local alive = state and not FINAL[state]
    if alive and overlap == 1 then
        redis.call('HINCRBY', itsKey, field.schedule.skipped, 1)
        return RUN_SKIPPED, v.last_job, state
    elseif alive and overlap == 2 then
        replace(v.last_job, state)
    end
    local push_ = redis.call('HMGET', itsKey, field.schedule.record, field.schedule.delay, field.schedule.options)
    local answer = push(job, push_[1], 0, tonumber(push_[2]), push_[3])
    if type(answer) ~= 'table' then
        return RUN_REFUSED, '', 0, answer
    end
    local made = answer[2] -- a unique job may have coalesced with one that was there already
    redis.call('HSET', itsKey, field.schedule.last_job, made)
    redis.call('HINCRBY', itsKey, field.schedule.fired, 1)
    if answer[1] == ST_SCHEDULED then
        local due = tonumber(redis.call('ZSCORE', key.scheduled, made))
        nextDue = nextDue == 0 and due or math.min(nextDue, due)
    end
    return RUN_ENQUEUED, made, answer[1]
end

-- A word when this call must not fire; else nil.
local function refusal(v, byHand, revision, seen, overlap)
    if not v.revision then
        return 'NOT_FOUND'
    elseif not byHand then
        return (v.revision ~= revision or v.next ~= seen or seen > now) and 'STALE' or nil
    end
    local state = overlap == 1 and v.last_job and jobState(v.last_job)
    return state and not FINAL[state] and 'OVERLAP ' .. v.last_job or nil
end

local function fire(at)
    local id, revision, due, job = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 3]), ARGV[at + 6]
    local byHand = revision == ''
    local hash = scheduleHash(id)
    local itsKey = key.schedule .. hash
    local values = redis.call('HMGET', itsKey, field.schedule.revision, field.schedule.next, field.schedule.last_job,
        field.schedule.overlap)
    local v = { revision = values[1], next = tonumber(values[2]), last_job = values[3] }
    if v.last_job == job then
        return { RUN_ENQUEUED, job, jobState(job) or ST_SUCCEEDED }
    end
    local overlap = tonumber(ARGV[at + 7] ~= '' and ARGV[at + 7] or values[4])
    local word = refusal(v, byHand, revision, tonumber(ARGV[at + 2]), overlap)
    if word then
        return word
    end
    local outcome, made, state, why = RUN_PASSED_OVER, '', 0, ''
    if due > 0 or byHand then
        outcome, made, state, why = makeJob(itsKey, v, job, overlap)
    end
    if not byHand then
        setNext(hash, id, tonumber(ARGV[at + 4]))
    elseif outcome == RUN_REFUSED then
        return 'REFUSED ' .. why
    end
    noteRun(hash, due, outcome, made, tonumber(ARGV[at + 5]), why or '')
    return { outcome, made, state }
end

local answers = {}
for at = 2, #ARGV, 8 do
    answers[#answers + 1] = fire(at)
end
followUp(limit.items)
return { now, commit(ARGV[1], field.changed.schedules), answers, nextDue, hints(0) }
