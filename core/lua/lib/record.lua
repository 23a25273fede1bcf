-- The job record's fixed head (core/job.h names the same offsets) and where a job waits. The argument is never looked at.
local HEAD_BYTES = 255 -- enough for the head with the longest name and its extras' fixed part

-- flags, priority, timeout_ms, max_retry, name, and where the extras begin.
local function head(record)
    local _, flags, priority, timeout, retries, name, at = struct.unpack('<BBi4I4I2Bc0', record)
    return { flags = flags, keep = flags % 2 == 1, priority = priority, timeout = timeout, retries = retries, name = name, extras = at,
        record = record }
end

local function readHead(id)
    local record = redis.call('GETRANGE', P .. 'j:' .. id, 0, HEAD_BYTES)
    return record ~= '' and head(record) or nil
end

local function hasExtras(h)
    return h.flags % 4 >= 2
end

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

-- Lanes: ready jobs of one signature (today: the name), by (priority, id). `ready` holds the lanes by their heads; its members are the
-- head's id followed by the lane's number.
local laneNumbers = {}

local function laneOf(name)
    local lid = laneNumbers[name]
    if not lid then
        lid = redis.call('HGET', P .. 'lanes', name)
        if not lid then
            lid = tostring(redis.call('INCR', P .. 'lane_last'))
            redis.call('HSET', P .. 'lanes', name, lid)
            redis.call('HSET', P .. 'lane_names', lid, name)
        end
        laneNumbers[name] = lid
    end
    return lid
end

local function lanePeek(lid)
    local h = redis.call('ZRANGE', P .. 'lane:' .. lid, 0, 0, 'WITHSCORES')
    return h[1], h[2]
end

-- Puts a lane back into `ready` after its head changed from (id, score), either of which may be nothing.
local function laneMoved(lid, id, score)
    local newId, newScore = lanePeek(lid)
    if newId == id and newScore == score then
        return
    end
    if id then
        redis.call('ZREM', READY_INDEX, id .. lid)
    end
    if newId then
        redis.call('ZADD', READY_INDEX, newScore, newId .. lid)
    end
end

-- Jobs that become ready gather here, {score, id, score, id, …} for each lane, and enter their lanes together.
local entering, enteringOrder = {}, {}

local function laneAdd(name, priority, id)
    local lid = laneOf(name)
    local entries = entering[lid]
    if not entries then
        entries = {}
        entering[lid] = entries
        enteringOrder[#enteringOrder + 1] = lid
        becameReady[name] = true
    end
    entries[#entries + 1], entries[#entries + 2] = priority, id
end

-- Whoever looks into a lane calls this first.
function settleLanes()
    for _, lid in ipairs(enteringOrder) do
        local entries = entering[lid]
        local id, score = lanePeek(lid)
        redis.call('ZADD', P .. 'lane:' .. lid, unpack(entries))
        laneMoved(lid, id, score)
        count('ready', #entries / 2)
    end
    entering, enteringOrder = {}, {}
end

local function laneRemove(lid, jobId)
    settleLanes()
    local id, score = lanePeek(lid)
    if redis.call('ZREM', P .. 'lane:' .. lid, jobId) == 1 then
        count('ready', -1)
        laneMoved(lid, id, score)
    end
end
