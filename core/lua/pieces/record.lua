-- The fixed head of a job's record (core/jobs/job.h has the same offsets) and the settings in it. Scripts never read the argument.
local HEAD_BYTES = 255 -- enough for the head with the longest name and its extras' fixed part

-- The head: flags, priority, timeout (ms), retries, name, where the extras begin, and the text it was read from.
local function head(record)
    local _, flags, priority, timeout, retries, name, at = struct.unpack('<BBi4I4I2Bc0', record)
    return { flags = flags, keep = flags % 2 == 1, priority = priority, timeout = timeout, retries = retries, name = name, extras = at,
        record = record }
end

local function readHead(id)
    local record = redis.call('GETRANGE', key.job .. id, 0, HEAD_BYTES)
    return record ~= '' and head(record) or nil
end

local function hasExtras(h)
    return h.flags % 4 >= 2
end

-- How long to wait before the next try after so many failures, ms. `jitter` is from 0 to 1.
local function backoffDelay(h, failures, jitter)
    local base, factor, max, spread = limit.backoff_base_ms, limit.backoff_factor, limit.backoff_max_ms, limit.backoff_jitter
    if hasExtras(h) then
        base, factor, max, spread = struct.unpack('<I4dI4d', h.record, h.extras)
    end
    local delay = math.min(max, base * factor ^ math.max(0, failures - 1))
    return math.floor(delay * (1 + jitter * spread))
end

local function resultTtl(h)
    if hasExtras(h) then
        local _, _, _, _, seconds = struct.unpack('<I4dI4dI4', h.record, h.extras)
        return seconds * 1000
    end
    return limit.result_ttl_ms
end
