#!lua
-- Transition 26 (`restore`): jobs come back from the trash to where they were.
-- KEYS[1] prefix. ARGV: engine, then ids.
-- Reply: now, transaction, for each {state} or a word (NOT_FOUND; CONFLICT: not in the trash; UNIQUE: another has its key), hints.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt

-- A final job's retention goes on from its end.
local function restoreFinal(id, state, s)
    redis.call('ZADD', FINAL[state], s.fi, id)
    Retention.ended[#Retention.ended + 1] = { id, state, tonumber(s.fi) }
    if s.fg and redis.call('EXISTS', P .. 'fg:' .. s.fg) == 1 then
        redis.call('ZADD', P .. 'fgf:' .. s.fg, s.fi, id)
    end
    return { state }
end

-- Whether the job's unique key is its own while it waits: one that is unique until it starts has given it away.
local function holdsKey(s)
    return s.uq and (s.un ~= 's' or not s.a)
end

-- One that had not ended is counted again where its end was told; what it depended on may have ended meanwhile.
local function restoreUnended(id, h, state, s)
    if holdsKey(s) then
        redis.call('SET', P .. 'uq:' .. s.uq, id)
    end
    if s.gr then
        groupRejoined(s.gr, ST_CANCELLED)
    end
    if special(s, EXPIRES) and not s.a then -- else it was started in time
        redis.call('ZADD', EXPIRING, s.xp, id)
    end
    redis.call('HDEL', P .. 's:' .. id, 'fi', 'rs')
    if state ~= ST_DEPENDS then
        return { (place(id, h, s, state == ST_SCHEDULED and tonumber(s.ra) or 0)) }
    elseif s.db and s.df ~= 'r' then
        endByDependency(id, h, s, tonumber(s.db), s.df)
        return { s.df == 'c' and ST_CANCELLED or ST_FAILED }
    elseif tonumber(s.dn) > 0 then
        redis.call('HSET', P .. 's:' .. id, 'st', ST_DEPENDS)
        redis.call('ZADD', DEPENDS, now, id)
        return { ST_DEPENDS }
    end
    redis.call('HDEL', P .. 's:' .. id, 'dn')
    return { (place(id, h, s, tonumber(s.ra or 0))) }
end

local function restore(id)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id)
    if not s or not readInto(s, id, { 'tr', 'ts', 'a', 'ra', 'fi', 'fg', 'dn', 'df', 'db', 'ua' }).tr then
        return 'CONFLICT'
    end
    readInto(s, id, SPECIAL_FIELDS)
    local state = tonumber(s.ts)
    local other = holdsKey(s) and not FINAL[state] and redis.call('GET', P .. 'uq:' .. s.uq)
    if other and other ~= id and not (state == ST_DEPENDS and other == s.ua) then -- it may wait for that one
        return 'UNIQUE'
    end
    redis.call('ZREM', P .. 'trash', id)
    redis.call('HDEL', P .. 's:' .. id, 'tr', 'ts', 'db')
    tell(id, 'restored', 'operator', s.a, '')
    return FINAL[state] and restoreFinal(id, state, s) or restoreUnended(id, h, state, s)
end

local answers = {}
for at = 2, #ARGV do
    answers[#answers + 1] = restore(ARGV[at])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
