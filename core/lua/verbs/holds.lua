#!lua library=limits flags=no-writes
-- Says what keeps each of some ready jobs from starting: the first bucket that holds its lane back.
-- KEYS[1] the namespace's prefix
-- ARGV[1…] ids
-- Reply now, for each id {bucket, key, when it opens (0: not known)}, or an empty list when no bucket holds the job or it is not ready.
-- include base
-- include lanes
-- include bucket
-- include admission

local known = {}

local function holdOf(lane)
    if known[lane] then
        return known[lane]
    end
    local info, hold = laneInfo(lane), {}
    local carried = info and info[4] or {}
    for i = 1, #carried, 3 do
        local b = bucketOf(carried[i])
        b.f.key = carried[i + 2]
        b.own = b.con and b.con.overrides and b.con.overrides[b.f.key] or {}
        local held, opens = holdsBack(b, carried[i + 1])
        if held then
            hold = { carried[i], carried[i + 2], math.ceil(opens or 0) }
            break
        end
    end
    known[lane] = hold
    return hold
end

local holds = {}
for at, id in ipairs(ARGV) do
    local s = redis.call('HMGET', key.state .. id, field.state, field.lane)
    holds[at] = tonumber(s[1]) == ST_READY and s[2] and holdOf(s[2]) or {}
end
return { now, holds }
