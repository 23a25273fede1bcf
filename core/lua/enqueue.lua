#!lua
-- Transitions 1 and 2: new jobs become ready or scheduled; a key used before gives the job it made.
-- KEYS[1] prefix. ARGV: engine, then for each job: id, record, run_at (ms, 0: none), delay (ms), idempotency hash (20 bytes or ''),
-- fingerprint (16 bytes or '').
-- Reply: now, transaction, for each job {state, id, duplicate} or the word IDEMPOTENCY_MISMATCH.
-- include base
-- include record

local answers, lanes, order = {}, {}, {}

-- A key outlives its job's record only when that was purged within a day: then it had succeeded.
local function stateOf(id)
    local state = redis.call('HGET', P .. 's:' .. id, 'st')
    return tonumber(state or redis.call('EXISTS', P .. 'j:' .. id) == 1 and ST_READY or ST_SUCCEEDED)
end

for at = 2, #ARGV, 6 do
    local id, record, runAt, delay, idem, print = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 4],
        ARGV[at + 5]
    local known = idem ~= '' and redis.call('GET', P .. 'idem:' .. redis.sha1hex(idem))
    local answer
    if known and string.sub(known, 1, 16) ~= id then
        answer = string.sub(known, 17) == print and { stateOf(string.sub(known, 1, 16)), string.sub(known, 1, 16), 1 }
            or 'IDEMPOTENCY_MISMATCH'
    elseif not redis.call('SET', P .. 'j:' .. id, record, 'NX') then
        answer = { stateOf(id), id, 0 } -- this very call again
    else
        local h = head(record)
        local lid = laneOf(h.name)
        local due = runAt > 0 and runAt or now + delay
        if due > now then
            redis.call('HSET', P .. 's:' .. id, 'st', ST_SCHEDULED, 'ra', due)
            redis.call('ZADD', SCHEDULED, due, id)
            answer = { ST_SCHEDULED, id, 0 }
        else
            local entries = lanes[lid]
            if not entries then
                entries = { name = h.name }
                lanes[lid] = entries
                order[#order + 1] = lid
            end
            entries[#entries + 1] = h.priority
            entries[#entries + 1] = id
            answer = { ST_READY, id, 0 }
        end
        count('enqueued', 1)
        countName(lid, 'enq', 1)
        if idem ~= '' then
            local hash = redis.sha1hex(idem)
            redis.call('SET', P .. 'idem:' .. hash, id .. print, 'PX', limit.idempotency_ms)
            redis.call('ZADD', P .. 'idem', now + limit.idempotency_ms, hash)
            if redis.call('ZCARD', P .. 'idem') > limit.idempotency_keys then
                local oldest = redis.call('ZPOPMIN', P .. 'idem')
                redis.call('DEL', P .. 'idem:' .. oldest[1])
            end
        end
    end
    answers[#answers + 1] = answer
end
for _, lid in ipairs(order) do
    laneAdd(lid, lanes[lid].name, lanes[lid])
end
return { now, commit(ARGV[1]), answers }
