#!lua
-- Transition 25 (`delete`): jobs that neither run nor await go to the trash. One that had not ended is cancelled for all who wait for it.
-- KEYS[1] prefix. ARGV: engine, then ids.
-- Reply: now, transaction, for each {state} or a word (NOT_FOUND, CONFLICT), hints.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt

local function delete(id)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id) or { st = ST_READY }
    readInto(s, id, { 'fg', 'kn', 'tr' })
    if s.tr then
        return { s.st }
    elseif s.st == ST_RUNNING or s.st == ST_AWAITING then
        return 'CONFLICT'
    end
    redis.call('HSET', P .. 's:' .. id, 'tr', now, 'ts', s.st)
    redis.call('ZADD', P .. 'trash', now, id)
    tell(id, 'deleted', 'operator', redis.call('HGET', P .. 's:' .. id, 'a'), '')
    count('deleted', 1)
    if FINAL[s.st] then
        Retention.left(id, s.st, s)
        redis.call('HDEL', P .. 's:' .. id, 'kn')
        return { s.st }
    end
    leavePlace(id, s, h)
    redis.call('HSET', P .. 's:' .. id, 'st', ST_CANCELLED, 'fi', now, 'rs', 'deleted')
    becameFinal[#becameFinal + 1] = id
    ended(id, ST_CANCELLED, s)
    return { ST_CANCELLED }
end

local answers = {}
for at = 2, #ARGV do
    answers[#answers + 1] = delete(ARGV[at])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
