-- Cancels a job: transitions 16 (`cancel-waiting`) and 17 (`cancel-running`).
-- include record
-- include place
-- include state
-- include ends
-- include attempt

-- Returns {state, whether its worker was asked to stop it (0 or 1)}, or a word: NOT_FOUND, CONFLICT.
local function cancelJob(id, force, who)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id) or { [field.state] = ST_READY }
    if s.state == ST_CANCELLED then
        return { ST_CANCELLED, 0 }
    elseif FINAL[s.state] then
        return 'CONFLICT'
    elseif (s.state == ST_RUNNING or s.state == ST_AWAITING) and not force then
        if not s.cancel then
            redis.call('HSET', key.state .. id, field.cancel, 1)
            tell(id, 'cancel_requested', who, redis.call('HGET', key.state .. id, field.attempt), '')
        end
        return { s.state, 1 }
    end
    leavePlace(id, s, h)
    local fields = { field.reason, 'cancelled' }
    if s.state == ST_RUNNING or s.state == ST_AWAITING then
        tell(id, 'cancel_requested', who, redis.call('HGET', key.state .. id, field.attempt), '') -- the history's only word of who it was
        note(id, s, 'cancelled', '', false, 0)
        -- In the place of the last report: a repeated report of an earlier attempt is then refused.
        fields = { field.reason, 'cancelled', field.reported_lease, s.lease, field.reported_type, 'c' }
    else
        tell(id, 'cancelled', who, redis.call('HGET', key.state .. id, field.attempt), '')
    end
    finalise(id, ST_CANCELLED, s, fields)
    count(field.totals.cancelled, 1)
    return { ST_CANCELLED, 0 }
end
