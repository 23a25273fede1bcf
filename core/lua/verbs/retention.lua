#!lua
-- Reads, sets or clears how long final jobs are kept, in general or for a name. The sweep applies a change to the jobs that are there.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] what to do (get, set or clear)
-- ARGV[3] name ('' for the general settings)
-- ARGV[4…] for set: age (ms) and count of succeeded, of failed and of cancelled jobs, −1 for what is not set
-- Reply now, transaction, the six general settings, {name, its six settings…} for each name that has some, and for a change both as
--       they were before; or now, 0, the word CONFLICT (too many names have settings).
-- include base

local itsKey, verb, name = key.retention, ARGV[2], ARGV[3]
local FIELDS = { field.retention.succeeded_age, field.retention.succeeded_count, field.retention.failed_age, field.retention.failed_count,
    field.retention.cancelled_age, field.retention.cancelled_count }

local function read()
    local all = redis.call('HMGET', itsKey, unpack(FIELDS))
    local default = { limit.succeeded_kept_ms, limit.succeeded_kept, limit.failed_kept_ms, limit.failed_kept, limit.cancelled_kept_ms,
        limit.cancelled_kept }
    for i = 1, 6 do
        all[i] = tonumber(all[i] or default[i])
    end
    local names = {}
    local fields = redis.call('HGETALL', itsKey)
    for i = 1, #fields, 2 do
        if string.sub(fields[i], 1, 2) == field.retention.of_name then
            names[#names + 1] = { string.sub(fields[i], 3), unpack(cmsgpack.unpack(fields[i + 1])) }
        end
    end
    return all, names
end

local before, namesBefore
if verb ~= 'get' then
    before, namesBefore = read()
    local six = {}
    for i = 1, 6 do
        six[i] = tonumber(ARGV[3 + i])
    end
    local known = redis.call('HEXISTS', itsKey, field.retention.of_name .. name)
    if name == '' then
        redis.call('HDEL', itsKey, unpack(FIELDS))
        for i = 1, #six do
            if six[i] >= 0 then
                redis.call('HSET', itsKey, FIELDS[i], six[i])
            end
        end
    elseif verb == 'clear' then
        if redis.call('HDEL', itsKey, field.retention.of_name .. name) == 1 then
            redis.call('HINCRBY', itsKey, field.retention.names, -1)
        end
    elseif known == 0 and tonumber(redis.call('HGET', itsKey, field.retention.names) or 0) >= limit.retention_names then
        return { now, 0, 'CONFLICT' }
    else
        redis.call('HSET', itsKey, field.retention.of_name .. name, cmsgpack.pack(six))
        redis.call('HINCRBY', itsKey, field.retention.names, 1 - known)
    end
    redis.call('DEL', key.replacing) -- the sweep begins with the first job again
    redis.call('HSET', key.replacing, field.replacing.state, 6)
end
local all, names = read()
return { now, verb == 'get' and 0 or commit(ARGV[1], field.changed.retention), all, names, before, namesBefore }
