#!lua flags=allow-oom
-- Cancels jobs: transitions 16 (`cancel-waiting`) and 17 (`cancel-running`). A waiting job is cancelled. A running or awaiting job is
-- marked, so that its worker stops it; with force it is cancelled at once and its lease is lost.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: id, force (0 or 1), who
-- Reply now, transaction, for each {state, whether its worker was asked to stop it (0 or 1)} or a word (NOT_FOUND; CONFLICT: it has ended),
--       hints.
-- include base
-- include record
-- include place
-- include state
-- include ends
-- include attempt

local function cancel(id, force, who)
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

local answers = {}
for at = 2, #ARGV, 3 do
    answers[#answers + 1] = cancel(ARGV[at], ARGV[at + 1] == '1', ARGV[at + 2])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
