#!lua
-- Transition 18 (`retry`): an operator runs a failed or cancelled job again; its failures are forgotten, its attempt number goes on.
-- KEYS[1] prefix. ARGV: engine, nonce (the same when the call is repeated), then ids.
-- Reply: now, transaction, for each {state, run_at} or a word (NOT_FOUND, CONFLICT, UNIQUE), hints.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt

local function retry(id)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id)
    local done = redis.call('HMGET', P .. 's:' .. id, 'rq', 'ra')
    if s and done[1] == ARGV[2] then -- this very call again; the job may have run since
        return { s.st, s.st == ST_SCHEDULED and tonumber(done[2]) or 0 }
    elseif not s or (s.st ~= ST_FAILED and s.st ~= ST_CANCELLED) then
        return 'CONFLICT'
    end
    readInto(s, id, SPECIAL_FIELDS)
    readInto(s, id, { 'fg', 'kn', 'tr' })
    if s.tr then
        return 'CONFLICT' -- in the trash
    end
    local unique = s.uq and P .. 'uq:' .. s.uq
    local other = unique and redis.call('GET', unique)
    if other and other ~= id then
        return 'UNIQUE'
    end
    Retention.left(id, s.st, s)
    redis.call('HDEL', P .. 's:' .. id, 'f', 'r', 'x', 'cx', 'fi', 'rs', 'ra', 'o', 'm', 'fg', 'kn', 'xp', 'dn', 'fo')
    redis.call('DEL', P .. 'res:' .. id, P .. 'rcp:' .. id, P .. 'shared:' .. id)
    redis.call('ZREM', P .. 'results', id)
    if unique then
        redis.call('SET', unique, id)
    end
    local function noMore(letter)
        s.ex = string.gsub(s.ex, letter, '')
        redis.call('HSET', P .. 's:' .. id, 'ex', s.ex)
    end
    if s.gr and redis.call('EXISTS', P .. 'g:' .. s.gr) == 1 then
        groupRejoined(s.gr, s.st)
    elseif s.gr then -- forgotten by now
        noMore(GROUP)
        redis.call('HDEL', P .. 's:' .. id, 'gr')
        s.gr = nil
    end
    if special(s, EXPIRES) then -- its age has been judged
        noMore(EXPIRES)
    end
    tell(id, 'retried', 'operator', redis.call('HGET', P .. 's:' .. id, 'a'), '')
    return { place(id, h, s, 0, 'rq', ARGV[2]) }
end

local answers = {}
for at = 3, #ARGV do
    answers[#answers + 1] = retry(ARGV[at])
end
return { now, commit(ARGV[1]), answers, hints(0) }
