#!lua library=limits
-- Hands a running job off for its worker: transition 15 (`hand-off`). The job awaits a message with the given key, which will finish it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] lease
-- ARGV[4] key's hash (40 digits)
-- ARGV[5] timeout (ms)
-- Reply now, transaction, {state} or a word (NOT_FOUND, LEASE_LOST; KEY_USED: another job awaits this key), hints.
-- include base
-- include place
-- include state

local function handOff(id, lease, hash, timeout)
    local s = readState(id)
    if not s then
        return redis.call('EXISTS', key.job .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    end
    if redis.call('HGET', key.state .. id, field.handed_lease) == lease then
        return { ST_AWAITING } -- a repeated call: the same answer, whatever the job's state is now
    end
    if s.state ~= ST_RUNNING or s.lease ~= lease then
        return 'LEASE_LOST'
    end
    local holder = redis.call('GET', key.message .. hash)
    if holder and #holder == 16 then
        return 'KEY_USED'
    end
    redis.call('ZREM', key.running, id) -- its buckets still count it as running
    redis.call('SET', key.message .. hash, id)
    redis.call('ZADD', key.awaiting, now + timeout, id)
    redis.call('HSET', key.state .. id, field.state, ST_AWAITING, field.message_key, hash, field.deadline, now + timeout,
        field.reported_lease, lease, field.reported_type, 'h', field.handed_lease, lease)
    tell(id, 'handed_off', redis.call('HGET', key.state .. id, field.worker), redis.call('HGET', key.state .. id, field.attempt), '')
    return { ST_AWAITING }
end

local answer = handOff(ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]))
return { now, commit(ARGV[1]), answer, hints(0) }
