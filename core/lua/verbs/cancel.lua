#!lua flags=allow-oom
-- Transitions 16 (`cancel-waiting`) and 17 (`cancel-running`): what waits is cancelled; what runs is flagged, or, by force,
-- loses its lease at once.
-- KEYS[1] prefix. ARGV: engine, then for each: id, force (0 or 1).
-- Reply: now, transaction, for each {state, cancel requested (0 or 1)} or a word (NOT_FOUND, CONFLICT), hints.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt

local function cancel(id, force)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id) or { st = ST_READY }
    if s.st == ST_CANCELLED then
        return { ST_CANCELLED, 0 }
    elseif FINAL[s.st] then
        return 'CONFLICT'
    elseif (s.st == ST_RUNNING or s.st == ST_AWAITING) and not force then
        if not s.cx then
            redis.call('HSET', P .. 's:' .. id, 'cx', 1)
            tell(id, 'cancel_requested', 'operator', redis.call('HGET', P .. 's:' .. id, 'a'), '')
        end
        return { s.st, 1 }
    end
    leavePlace(id, s, h)
    local fields = { 'rs', 'cancelled' }
    if s.st == ST_RUNNING or s.st == ST_AWAITING then
        note(id, s, 'cancelled', '', false, 0)
        fields = { 'rs', 'cancelled', 'pl', s.l, 'pt', 'c' } -- reports of attempts before are forgotten
    else
        tell(id, 'cancelled', 'operator', redis.call('HGET', P .. 's:' .. id, 'a'), '')
    end
    finalise(id, ST_CANCELLED, s, fields)
    count('cancelled', 1)
    return { ST_CANCELLED, 0 }
end

local answers = {}
for at = 2, #ARGV, 2 do
    answers[#answers + 1] = cancel(ARGV[at], ARGV[at + 1] == '1')
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
