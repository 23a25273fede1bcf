-- What every script begins with: the prefix of the keys, the time, counters. The names of schema.lua are put in when a script is embedded,
-- the time and the numbers of core/limits.h by core/redis/scripts.cpp.
-- KEYS[1] is the namespace's prefix `jq:{ns}:`; every key a script touches is made from it (key.…, schema.lua), never from a user's string.
local P = KEYS[1]
--@now

local FINAL = { [6] = key.succeeded, [7] = key.failed, [8] = key.cancelled }
local ST_SCHEDULED, ST_DEPENDS, ST_READY, ST_RUNNING, ST_AWAITING, ST_SUCCEEDED, ST_FAILED, ST_CANCELLED = 1, 2, 3, 4, 5, 6, 7, 8

-- Whether a text stands before another as Redis orders members: byte by byte. Lua's own < goes by the locale that Redis was started in.
local function precedes(text, other)
    for at = 1, math.min(#text, #other) do
        local byte, its = string.byte(text, at), string.byte(other, at)
        if byte ~= its then
            return byte < its
        end
    end
    return #text < #other
end

local function standsBefore(score, member, otherScore, other)
    return score < otherScore or score == otherScore and precedes(member, other)
end

-- Counters are gathered during a call and written once at its end.
local totals, nameTotals = {}, {}

local function count(stored, n)
    totals[stored] = (totals[stored] or 0) + n
end

local function countName(lid, stored, n)
    local of = nameTotals[lid]
    if not of then
        of = {}
        nameTotals[lid] = of
    end
    of[stored] = (of[stored] or 0) + n
end

-- Names with jobs that became ready, and jobs that became final: told to the other masters, if there are any. And when the first of the
-- buckets that this call found shut opens by itself: one master has to look then.
local becameReady, becameFinal = {}, {}
local opensFirst

local function opensAt(at)
    opensFirst = math.min(at, opensFirst or at)
end

-- What this engine's own requests may wait for, as the last part of a reply: names with jobs that became ready, ids that became final
-- after the first `known` (which the caller sees in its answers anyway), when a bucket opens (ms; 0: none does).
local function hints(known)
    local names, ids = {}, {}
    for name in pairs(becameReady) do
        names[#names + 1] = name
    end
    for i = known + 1, #becameFinal do
        ids[#ids + 1] = becameFinal[i]
    end
    return { names, ids, math.ceil(opensFirst or 0) }
end

local settleLanes, settleBuckets -- of lanes.lua and admission.lua

local function writeTotals()
    for stored, n in pairs(totals) do
        if n ~= 0 then
            redis.call('HINCRBY', key.totals, stored, n)
        end
    end
    for lid, of in pairs(nameTotals) do
        for stored, n in pairs(of) do
            redis.call('HINCRBY', key.name_totals .. lid, stored, n)
        end
    end
end

-- What else is gathered during a call and written once: functions that commit() calls.
local atCommit = {}

-- Ends a mutating call: what gathered, the hint, and the transaction number, which it returns.
local function commit(engine)
    if settleLanes then
        settleLanes()
        settleBuckets()
    end
    writeTotals()
    for _, write in ipairs(atCommit) do
        write()
    end
    local jobs = next(becameReady) or becameFinal[1]
    if jobs or opensFirst then
        -- Who is no engine, as the editor of the matchers is none, has no reply that an engine hears.
        local heard = redis.call('ZSCORE', key.engines, engine)
        if not heard or jobs and redis.call('ZCARD', key.engines) > 1 then
            local told = hints(0)
            redis.call('PUBLISH', key.hint, cmsgpack.pack({ engine, told[1], told[2], heard and 0 or told[3] }))
        end
    end
    return redis.call('INCR', key.transaction)
end
