-- How a job's state is read, and the outcome object of a failure that the master itself reports. A table called `s` has some fields of a
-- job's state.
local LEASE_FIELDS = { field.state, field.lease, field.reported_lease, field.reported_type, field.reported_state, field.reported_run_at,
    field.result_ttl, field.number, field.cancel, field.started, field.special, field.lane, field.buckets, field.epoch, field.worker }
-- Further fields, which only heartbeats and bad ends of an attempt need.
local ATTEMPT_FIELDS = { field.attempt, field.failures, field.releases, field.silent, field.lease_ms, field.deadline, field.heard,
    field.run_at }
local SPECIAL_FIELDS = { field.unique, field.unique_until, field.group, field.expires }

local function readInto(s, id, fields)
    local values = redis.call('HMGET', key.state .. id, unpack(fields))
    for i, stored in ipairs(fields) do
        s[stored] = values[i] or nil
    end
    return s
end

local function readState(id)
    local s = readInto({}, id, LEASE_FIELDS)
    if not s.state then
        return nil
    end
    s.state = tonumber(s.state)
    return s
end

local function readAttempt(id, s)
    return readInto(s, id, ATTEMPT_FIELDS)
end

-- Cuts a UTF-8 text to so many bytes, between two characters.
local function cut(text, bytes)
    if #text <= bytes then
        return text
    end
    while bytes > 0 and string.byte(text, bytes + 1) >= 128 and string.byte(text, bytes + 1) < 192 do
        bytes = bytes - 1
    end
    return string.sub(text, 1, bytes)
end

-- A text in MessagePack. Outcome objects are packed by hand, because cmsgpack cannot write nil as a map's value.
local function packText(text)
    if #text < 32 then
        return string.char(160 + #text) .. text
    elseif #text < 256 then
        return string.char(217, #text) .. text
    end
    return string.char(218, math.floor(#text / 256), #text % 256) .. text
end

-- A time as ISO 8601 in UTC with milliseconds. The date comes from the days since 1970 by the proleptic Gregorian calendar.
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
