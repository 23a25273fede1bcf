-- include rings
-- include stats
-- include failures
-- include retention
-- How an attempt ends. `s:<id>` holds what changes of a job:
--   st state · a attempt · f failures · r releases · x silent expiries in a row · l last lease · w worker · t started · dl deadline
--   lm lease_ms · hb heard of in this attempt · cx cancel asked for · pl pt ps pr the report that ended the last attempt (lease, type,
--   answered state, answered run_at) · fi finished · rs reason · ra run_at · o last outcome object · m its message, cut · k result_ttl if
--   kept · ln lane · pgd pgt pgm progress · rt when it became ready, if not by its enqueue · fg its group of failures, while failed ·
--   kn the set kept:<kn> it stands in · tk tracked · tr deleted at · ts the state it was deleted in
local LEASE_FIELDS = { 'st', 'l', 'pl', 'pt', 'ps', 'pr', 'k', 'ln', 'cx', 't' } -- what every report needs
local ATTEMPT_FIELDS = { 'a', 'f', 'r', 'x', 'w', 'lm', 'dl', 'hb', 'ra' } -- what only some ends of an attempt do

local function readInto(s, id, fields)
    local values = redis.call('HMGET', P .. 's:' .. id, unpack(fields))
    for i, field in ipairs(fields) do
        s[field] = values[i] or nil
    end
    return s
end

local function readState(id)
    local s = readInto({}, id, LEASE_FIELDS)
    if not s.st then
        return nil
    end
    s.st = tonumber(s.st)
    return s
end

local function readAttempt(id, s)
    return readInto(s, id, ATTEMPT_FIELDS)
end

local function cut(text, bytes)
    if #text <= bytes then
        return text
    end
    while bytes > 0 and string.byte(text, bytes + 1) >= 128 and string.byte(text, bytes + 1) < 192 do
        bytes = bytes - 1
    end
    return string.sub(text, 1, bytes)
end

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

-- Where a job stands that is not running: takes it out of there.
local function leavePlace(id, s, h)
    if s.st == ST_SCHEDULED then
        redis.call('ZREM', SCHEDULED, id)
    elseif s.st == ST_READY then
        laneRemove(laneOf(h.name), id)
    elseif s.st == ST_RUNNING then
        redis.call('ZREM', RUNNING, id)
    end
end

local function keepResult(id, object, ttl)
    redis.call('SET', P .. 'res:' .. id, object, 'PX', ttl)
    redis.call('ZADD', P .. 'results', now + ttl, id)
end

-- Any state → final. `fields` are further fields of s:<id>.
local function finalise(id, state, fields)
    redis.call('HSET', P .. 's:' .. id, 'st', state, 'fi', now, unpack(fields))
    redis.call('ZADD', FINAL[state], now, id)
    Retention.kept(id, state)
    becameFinal[#becameFinal + 1] = id
end

-- Their moves between the sorted sets are made together, by settleSuccesses().
local succeededIds = {}

local function succeed(id, s, lease, object)
    redis.call('HSET', P .. 's:' .. id, 'st', ST_SUCCEEDED, 'fi', now, 'pl', lease, 'pt', 's', 'ps', ST_SUCCEEDED, 'pr', 0)
    succeededIds[#succeededIds + 1] = id
    Retention.kept(id, ST_SUCCEEDED)
    Stats.ended(s.ln, s.t)
    becameFinal[#becameFinal + 1] = id
    if s.k then
        keepResult(id, object, tonumber(s.k))
    end
    count('succeeded', 1)
    countName(s.ln, 'ok', 1)
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
    redis.call('ZREM', RUNNING, id)
    note(id, s, how, message, false, 0)
    finalise(id, ST_CANCELLED, { 'pl', lease, 'pt', type, 'ps', ST_CANCELLED, 'pr', 0, 'rs', 'cancelled', 'm', cut(message, 200) })
    count('cancelled', 1)
    return { ST_CANCELLED, 0 }
end

-- A bad end of a running job's attempt. `end_`: type (f, e or r), how (a word), reason, object, message, title (the message normalised, if
-- it is not the same), retry (wanted), after_ms, jitter, silent (the new count of silent expiries).
local function fail(id, s, lease, end_)
    if s.cx then
        return cancelNow(id, s, lease, end_.type, end_.how, end_.message)
    end
    readAttempt(id, s)
    local h = readHead(id)
    local failures = tonumber(s.f or 0) + 1
    redis.call('ZREM', RUNNING, id)
    count('failures', 1)
    countName(s.ln, 'bad', 1)
    local again = end_.retry and failures <= h.retries
    Stats.failed(s.ln, s.t, end_.type, again)
    local group = Failures.note(id, h.name, s.w, end_.reason, end_.title or end_.message, not again)
    local common = { 'f', failures, 'x', end_.silent or 0, 'o', end_.object, 'm', cut(end_.message, 200), 'pl', lease, 'pt', end_.type }
    local function set(fields)
        for _, field in ipairs(fields) do
            common[#common + 1] = field
        end
        return common
    end
    if again then
        local due = now + math.max(backoffDelay(h, failures, end_.jitter), end_.after_ms)
        redis.call('HSET', P .. 's:' .. id, unpack(set({ 'st', ST_SCHEDULED, 'ra', due, 'ps', ST_SCHEDULED, 'pr', due })))
        redis.call('ZADD', SCHEDULED, due, id)
        note(id, s, end_.how, end_.message, true, due)
        count('retried', 1)
        return { ST_SCHEDULED, due }
    end
    note(id, s, end_.how, end_.message, end_.retry, 0)
    finalise(id, ST_FAILED, set({ 'rs', end_.reason, 'ps', ST_FAILED, 'pr', 0, 'fg', group }))
    if s.k then
        keepResult(id, end_.object, tonumber(s.k))
    end
    count('failed', 1)
    countName(s.ln, 'dead', 1)
    return { ST_FAILED, 0 }
end

-- MessagePack for an outcome object that the master makes; cmsgpack cannot write nil as a map's value.
local function packText(text)
    if #text < 32 then
        return string.char(160 + #text) .. text
    elseif #text < 256 then
        return string.char(217, #text) .. text
    end
    return string.char(218, math.floor(#text / 256), #text % 256) .. text
end

-- ISO 8601 UTC with milliseconds; days to a date as in the civil calendar, proleptic.
local function iso(ms)
    local days = math.floor(ms / 86400000)
    local left = ms - days * 86400000
    local z = days + 719468
    local era = math.floor(z / 146097)
    local doe = z - era * 146097
    local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
    local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
    local mp = math.floor((5 * doy + 2) / 153)
    local day = doy - math.floor((153 * mp + 2) / 5) + 1
    local month = mp < 10 and mp + 3 or mp - 9
    local year = yoe + era * 400 + (month <= 2 and 1 or 0)
    return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', year, month, day, math.floor(left / 3600000),
        math.floor(left / 60000) % 60, math.floor(left / 1000) % 60, left % 1000)
end

local function failureObject(reason, shouldRetry, message)
    return '\134' .. packText('type') .. packText('failure') .. packText('reason') .. packText(reason) .. packText('finished_at')
        .. packText(iso(now)) .. packText('should_retry') .. (shouldRetry and '\195' or '\194') .. packText('error') .. '\192'
        .. packText('message') .. packText(message)
end
