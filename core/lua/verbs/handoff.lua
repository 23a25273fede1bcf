#!lua
-- Transition 15 (`hand-off`): a worker hands a running job off; a message under the key will finish it.
-- KEYS[1] prefix. ARGV: engine, id, lease, key's hash (40 digits), timeout (ms).
-- Reply: now, transaction, {state} or a word (NOT_FOUND, LEASE_LOST, KEY_USED), hints.
-- include base
-- include record
-- include state
-- include place

local function handOff(id, lease, hash, timeout)
    local s = readState(id)
    if not s then
        return redis.call('EXISTS', P .. 'j:' .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    end
    if redis.call('HGET', P .. 's:' .. id, 'hl') == lease then
        return { ST_AWAITING } -- the same again, whatever became of the job since
    end
    if s.st ~= ST_RUNNING or s.l ~= lease then
        return 'LEASE_LOST'
    end
    local holder = redis.call('GET', P .. 'msg:' .. hash)
    if holder and #holder == 16 then
        return 'KEY_USED'
    end
    redis.call('ZREM', RUNNING, id) -- its slots are kept
    redis.call('SET', P .. 'msg:' .. hash, id)
    redis.call('ZADD', AWAITING, now + timeout, id)
    redis.call('HSET', P .. 's:' .. id, 'st', ST_AWAITING, 'mk', hash, 'dl', now + timeout, 'pl', lease, 'pt', 'h', 'hl', lease)
    tell(id, 'handed_off', redis.call('HGET', P .. 's:' .. id, 'w'), redis.call('HGET', P .. 's:' .. id, 'a'), '')
    return { ST_AWAITING }
end

local answer = handOff(ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]))
return { now, commit(ARGV[1]), answer, hints(0) }
