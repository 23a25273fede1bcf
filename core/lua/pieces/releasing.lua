-- Takes a job back from its worker: transitions 7 (`release`) and 24 (`end-cancelled`).
-- include record
-- include place
-- include state
-- include attempt

-- Takes back the job that has this lease. `untouched`: no worker has had it, so that this is not counted as a release. Returns {state}, or
-- a word: NOT_FOUND, LEASE_LOST.
local function releaseJob(id, lease, delay, jitter, untouched)
    local s = readState(id)
    if not s then
        return redis.call('EXISTS', key.job .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    end
    if s.reported_lease == lease and s.reported_type == 'r' then
        return { tonumber(s.reported_state) }
    end
    if s.state ~= ST_RUNNING or s.lease ~= lease then
        return 'LEASE_LOST'
    end
    if s.cancel then
        return { cancelNow(id, s, lease, 'r', 'released', 'Released after a cancel was asked for.')[1] }
    end
    readAttempt(id, s)
    local releases = tonumber(s.releases or 0) + (untouched and 0 or 1)
    if releases > limit.releases then
        local message = 'Released more than ' .. limit.releases .. ' times.'
        return { fail(id, s, lease, { type = 'r', how = 'released', reason = 'other', object = failureObject('other', true, message),
            message = message, retry = true, after_ms = delay, jitter = jitter })[1] }
    end
    leavePlace(id, s, nil, untouched and 'u' or 'r')
    if not untouched then
        note(id, s, 'released', '', true, delay > 0 and now + delay or 0)
    end
    local state = place(id, readHead(id), s, delay > 0 and now + delay or 0, field.releases, releases, field.silent, 0,
        field.reported_lease, lease, field.reported_type, 'r')
    redis.call('HSET', key.state .. id, field.reported_state, state)
    return { state }
end
