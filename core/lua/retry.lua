#!lua
-- Transition 18: an operator runs a failed or cancelled job again; its failures are forgotten, its attempt number goes on.
-- KEYS[1] prefix. ARGV: engine, then ids.
-- Reply: now, transaction, for each {state} or a word (NOT_FOUND, CONFLICT).
-- include base
-- include record
-- include attempt

local function retry(id)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id)
    if not s or (s.st ~= ST_FAILED and s.st ~= ST_CANCELLED) then
        return 'CONFLICT'
    end
    readInto(s, id, { 'fg', 'kn', 'tr' })
    if s.tr then
        return 'CONFLICT' -- in the trash
    end
    Retention.left(id, s.st, s)
    redis.call('HDEL', P .. 's:' .. id, 'f', 'r', 'x', 'cx', 'fi', 'rs', 'ra', 'o', 'm', 'fg', 'kn')
    redis.call('DEL', P .. 'res:' .. id, P .. 'rcp:' .. id)
    redis.call('ZREM', P .. 'results', id)
    makeReady(id, h)
    return { ST_READY, 0 }
end

local answers = {}
for at = 2, #ARGV do
    answers[#answers + 1] = retry(ARGV[at])
end
return { now, commit(ARGV[1]), answers }
