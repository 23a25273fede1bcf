-- How an attempt ends, well or badly.

-- An attempt that ended badly goes into the job's list: number, worker, started, ended, how, message, should_retry, next run.
local function note(id, s, how, message, shouldRetry, nextRun)
    if not s.a then
        readAttempt(id, s)
    end
    local list = P .. 'h:' .. id
    redis.call('RPUSH', list, cmsgpack.pack({ tonumber(s.a or 0), s.w or '', tonumber(s.t or 0), now, how, cut(message, 1024),
        shouldRetry, nextRun }))
    redis.call('LTRIM', list, -limit.attempts_kept, -1)
end

-- The moves of plain jobs between the sorted sets are made together, by settleSuccesses().
local succeededIds = {}

local function succeed(id, s, lease, type, object)
    redis.call('HSET', P .. 's:' .. id, 'st', ST_SUCCEEDED, 'fi', now, 'pl', lease, 'pt', type, 'ps', ST_SUCCEEDED, 'pr', 0)
    if s.st == ST_AWAITING then
        leavePlace(id, s, nil, 's')
    else
        uncharge(s, id, 's')
    end
    succeededIds[#succeededIds + 1] = id
    Retention.kept(id, ST_SUCCEEDED)
    Stats.ended(s.ln, s.t)
    becameFinal[#becameFinal + 1] = id
    if s.k then
        keepResult(id, object, tonumber(s.k))
    end
    count('succeeded', 1)
    countName(s.ln, 'ok', 1)
    ended(id, ST_SUCCEEDED, s)
    return { ST_SUCCEEDED, 0 }
end

local function settleSuccesses()
    if succeededIds[1] then
        local scored = {}
        for i, id in ipairs(succeededIds) do
            scored[2 * i - 1], scored[2 * i] = now, id
        end
        redis.call('ZREM', RUNNING, unpack(succeededIds))
        redis.call('ZADD', FINAL[ST_SUCCEEDED], unpack(scored))
    end
end

local function cancelNow(id, s, lease, type, how, message)
    leavePlace(id, s)
    note(id, s, how, message, false, 0)
    finalise(id, ST_CANCELLED, s,
        { 'pl', lease, 'pt', type, 'ps', ST_CANCELLED, 'pr', 0, 'rs', 'cancelled', 'm', cut(message, 200) })
    count('cancelled', 1)
    return { ST_CANCELLED, 0 }
end

-- A bad end of a running or awaiting job's attempt. `end_`: type (f, e or r), how (a word), reason, object, message, title (the message
-- normalised, if it is not the same), retry (wanted), after_ms, jitter, silent (the new count of silent expiries).
local function fail(id, s, lease, end_)
    if s.cx then
        return cancelNow(id, s, lease, end_.type, end_.how, end_.message)
    end
    readAttempt(id, s)
    local h = readHead(id)
    local failures = tonumber(s.f or 0) + 1
    leavePlace(id, s, h, end_.type == 'm' and 'f' or end_.type, end_.after_ms)
    count('failures', 1)
    countName(s.ln, 'bad', 1)
    local again = end_.retry and failures <= h.retries
    Stats.failed(s.ln, s.t, end_.type, again)
    local group = Failures.note(id, h.name, s.w, end_.reason, end_.title or end_.message, not again)
    local common = { 'f', failures, 'x', end_.silent or 0, 'o', end_.object, 'm', cut(end_.message, 200), 'pl', lease, 'pt', end_.type }
    if again then
        local due = now + math.max(backoffDelay(h, failures, end_.jitter), end_.after_ms)
        local state, runAt = place(id, h, s, due, unpack(common))
        redis.call('HSET', P .. 's:' .. id, 'ps', state, 'pr', runAt)
        note(id, s, end_.how, end_.message, true, runAt)
        count('retried', 1)
        return { state, runAt }
    end
    note(id, s, end_.how, end_.message, end_.retry, 0)
    for _, field in ipairs({ 'rs', end_.reason, 'ps', ST_FAILED, 'pr', 0, 'fg', group }) do
        common[#common + 1] = field
    end
    finalise(id, ST_FAILED, s, common)
    if s.k then
        keepResult(id, end_.object, tonumber(s.k))
    end
    count('failed', 1)
    countName(s.ln, 'dead', 1)
    return { ST_FAILED, 0 }
end
