#!lua library=limits
-- Changes a job that is ready, scheduled or failed, for an operator: transition 19 (`edit`). The job's history keeps the old values.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] SHA-1 of the record that the operator saw
-- ARGV[4] the new record
-- ARGV[5] run_at (ms, -1: unchanged)
-- ARGV[6] old values
-- ARGV[7] who
-- Reply now, transaction, {state, run_at} or a word (NOT_FOUND; CONFLICT: not in this state; CHANGED: the record is another one by now;
--       FAILED_OFTEN <failures>: the new max_retry allows fewer), hints.
-- include base
-- include record
-- include place
-- include state

local function edit(id, before, record, runAt)
    local old = redis.call('GET', key.job .. id)
    if not old then
        return 'NOT_FOUND'
    end
    local s = readState(id) or { [field.state] = ST_READY }
    if s.state ~= ST_READY and s.state ~= ST_SCHEDULED and s.state ~= ST_FAILED then
        return 'CONFLICT'
    end
    if s.state == ST_FAILED and runAt >= 0 then
        return 'CONFLICT'
    end
    local digest = redis.sha1hex(old)
    if digest ~= before and old ~= record then
        return 'CHANGED'
    end
    local told = redis.call('HMGET', key.state .. id, field.failures, field.deleted)
    if told[2] then
        return 'CONFLICT' -- in the trash
    end
    local failures = tonumber(told[1] or 0)
    if failures > head(record).retries + (s.state == ST_FAILED and 1 or 0) then
        return 'FAILED_OFTEN ' .. failures
    end
    redis.call('SET', key.job .. id, record)
    if old ~= record then
        redis.call('HDEL', key.state .. id, field.buckets, field.epoch) -- the matchers have to read the new record
    end
    local was, due = s.state, s.state == ST_SCHEDULED and tonumber(redis.call('HGET', key.state .. id, field.run_at)) or 0
    local state, at = was, 0
    if was ~= ST_FAILED then
        local h = head(record)
        leavePlace(id, s, h)
        if old ~= record then
            s.buckets, s.epoch = nil, nil
        end
        state, at = place(id, h, s, runAt >= 0 and runAt or due)
    end
    -- A repeated call is not noted again. The job may be due at another time than was asked for, because its window opens then.
    if old ~= record or runAt >= 0 and (state ~= was or at ~= due) then
        tell(id, 'edited', ARGV[7], redis.call('HGET', key.state .. id, field.attempt), ARGV[6])
    end
    return { state, at }
end

local answer = edit(ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]))
return { now, commit(ARGV[1]), answer, hints(0) }
