-- How an attempt ends, well or badly.
-- include record
-- include admission
-- include place
-- include state
-- include measures
-- include failuregroups
-- include retaining
-- include ends

-- Adds an attempt that ended badly to the job's history: number, worker, started, ended, how, message, should_retry, next run.
local function note(id, s, how, message, shouldRetry, nextRun)
    if not s.attempt then
        readAttempt(id, s)
    end
    local list = key.history .. id
    redis.call('RPUSH', list, cmsgpack.pack({ tonumber(s.attempt or 0), s.worker or '', tonumber(s.started or 0), now, how, cut(message,
        1024),
        shouldRetry, nextRun }))
    redis.call('LTRIM', list, -limit.attempts_kept, -1)
end

-- Jobs that succeeded in this call. settleSuccesses() moves all of them from `running` to `succeeded` with two commands.
local succeededIds = {}

local function succeed(id, s, lease, type, object)
    redis.call('HSET', key.state .. id, field.state, ST_SUCCEEDED, field.finished, now, field.reported_lease, lease, field.reported_type,
        type, field.reported_state, ST_SUCCEEDED, field.reported_run_at, 0)
    if s.state == ST_AWAITING then
        leavePlace(id, s, nil, 's')
    else
        unchargeSuccess(s, id)
    end
    succeededIds[#succeededIds + 1] = id
    Retention.kept(id, ST_SUCCEEDED)
    Stats.ended(s.number, s.started)
    becameFinal[#becameFinal + 1] = id
    if s.result_ttl then
        keepResult(id, object, tonumber(s.result_ttl))
    end
    count(field.totals.succeeded, 1)
    countName(s.number, field.name_totals.succeeded, 1)
    ended(id, ST_SUCCEEDED, s)
    return { ST_SUCCEEDED, 0 }
end

local function settleSuccesses()
    settleSucceeding()
    if succeededIds[1] then
        local scored = {}
        for i, id in ipairs(succeededIds) do
            scored[2 * i - 1], scored[2 * i] = whole(now), id
        end
        redis.call('ZREM', key.running, unpack(succeededIds))
        redis.call('ZADD', FINAL[ST_SUCCEEDED], unpack(scored))
    end
end

local function cancelNow(id, s, lease, type, how, message)
    leavePlace(id, s)
    note(id, s, how, message, false, 0)
    finalise(id, ST_CANCELLED, s,
        { field.reported_lease, lease, field.reported_type, type, field.reported_state, ST_CANCELLED, field.reported_run_at, 0,
            field.reason, 'cancelled', field.message, cut(message, 200) })
    count(field.totals.cancelled, 1)
    return { ST_CANCELLED, 0 }
end

-- The attempt of a running or awaiting job ends badly: the job is tried again or fails. `end_`: type (f, e, r or m), how (a word), reason,
-- object, message, title (the normalised message, if it differs), retry (whether it is wanted), after_ms, jitter, silent (the new count of
-- silent expiries). Returns {state, run_at}.
local function fail(id, s, lease, end_)
    if s.cancel then
        return cancelNow(id, s, lease, end_.type, end_.how, end_.message)
    end
    readAttempt(id, s)
    local h = readHead(id)
    local failures = tonumber(s.failures or 0) + 1
    leavePlace(id, s, h, end_.type == 'm' and 'f' or end_.type, end_.after_ms)
    count(field.totals.failures, 1)
    countName(s.number, field.name_totals.failures, 1)
    local again = end_.retry and failures <= h.retries
    Stats.failed(s.number, s.started, end_.type, again)
    local group = Failures.note(id, h.name, s.worker, end_.reason, end_.title or end_.message, not again)
    local common = { field.failures, failures, field.silent, end_.silent or 0, field.outcome, end_.object, field.message,
        cut(end_.message, 200), field.reported_lease, lease, field.reported_type, end_.type }
    if again then
        local due = now + math.max(backoffDelay(h, failures, end_.jitter), end_.after_ms)
        local state, runAt = place(id, h, s, due, unpack(common))
        redis.call('HSET', key.state .. id, field.reported_state, state, field.reported_run_at, runAt)
        note(id, s, end_.how, end_.message, true, runAt)
        count(field.totals.retried, 1)
        return { state, runAt }
    end
    note(id, s, end_.how, end_.message, end_.retry, 0)
    for _, word in ipairs({ field.reason, end_.reason, field.reported_state, ST_FAILED, field.reported_run_at, 0, field.failure_group,
        group }) do
        common[#common + 1] = word
    end
    finalise(id, ST_FAILED, s, common)
    if s.result_ttl then
        keepResult(id, end_.object, tonumber(s.result_ttl))
    end
    count(field.totals.failed, 1)
    countName(s.number, field.name_totals.failed, 1)
    return { ST_FAILED, 0 }
end
