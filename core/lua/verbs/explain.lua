#!lua library=limits flags=no-writes
-- Explains why a job does not start: asks each of its buckets what a claim would ask, without writing anything.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- ARGV[2] its buckets by the present matchers, packed ('' for none)
-- Reply now, whether its lane is stale (0 or 1), how many jobs with the same buckets come before it (-1: it is not ready), for each bucket
--       {bucket, cost, key, whether it admits the job (0 or 1), whether it does so only because it observes (0 or 1), used, ready, opens at
--       (0: not known), {up to ten running jobs}, whether `used` is the sum over all keys (0 or 1), whether it holds back the jobs behind
--       the one that it admits (0 or 1)}, for each engine what its workers ask for (nil: nothing).
-- include base
-- include record
-- include lanes
-- include bucket
-- include admission
-- include state

local id = ARGV[1]
local s = readState(id) or { [field.state] = ST_READY }
local h = readHead(id)
if not h then
    return { now, 0, -1, {}, {} }
end
local position = -1
local stale = false

-- How many jobs of a lane come before this job, which is in another lane.
local function before(lane)
    local low, high = 0, redis.call('ZCARD', key.lane .. lane)
    while low < high do
        local middle = math.floor((low + high) / 2)
        local there = redis.call('ZRANGE', key.lane .. lane, middle, middle, 'WITHSCORES')
        if standsBefore(tonumber(there[2]), there[1], h.priority, id) then
            low = middle + 1
        else
            high = middle
        end
    end
    return low
end
if s.state == ST_READY then
    local nameNo = nameNumber(h.name)
    local lane = s.lane or nameNo
    position = redis.call('ZRANK', key.lane .. lane, id) or -1
    stale = laneInfo(lane)[3] ~= epoch
    local base, beside = lanesOf(nameNo, ARGV[2])
    for _, other in ipairs(position >= 0 and epoch > 0 and { base, beside } or {}) do
        position = position + (other ~= lane and before(other) or 0)
    end
end
local carried = ARGV[2] ~= '' and cmsgpack.unpack(ARGV[2]) or {}
local gates = {}
for i = 1, #carried, 3 do
    local b = bucketOf(carried[i])
    b.f.key = carried[i + 2]
    b.own = b.con and b.con.overrides and b.con.overrides[b.f.key] or {}
    local ok, opens, would = admits(b, carried[i + 1])
    local used, together = b.f.used or 0, 0
    if would or not ok then
        used, together = inUse(b, carried[i + 1])
    end
    gates[#gates + 1] = { carried[i], carried[i + 1], carried[i + 2], ok and 1 or 0, would and 1 or 0, used, b.f.ready or 0,
        not ok and opens or 0, redis.call('ZRANGE', key.bucket_running .. carried[i], 0, 9), together,
        ok and holdsBack(b, carried[i + 1]) and 1 or 0 }
end
local engines = redis.call('ZRANGEBYSCORE', key.engines, '(' .. (now - limit.engine_ms), '+inf', 'LIMIT', 0, limit.items)
local asks = engines[1] and redis.call('HMGET', key.asks, unpack(engines)) or {}
return { now, stale and 1 or 0, position, gates, asks }
