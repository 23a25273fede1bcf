-- What every script begins with: the names of the keys, the time, the limits (both put in by core/redis/scripts.cpp), counters.
-- KEYS[1] is the namespace's prefix `jq:{ns}:`; every key a script touches is made from it here and in core/redis/keys.h, never from
-- a user's string.
local P = KEYS[1]
--@limits
--@now

local READY_INDEX = P .. 'ready'
local SCHEDULED, RUNNING = P .. 'sched', P .. 'run'
local FINAL = { [6] = P .. 'succeeded', [7] = P .. 'failed', [8] = P .. 'cancelled' }
local ST_SCHEDULED, ST_READY, ST_RUNNING, ST_SUCCEEDED, ST_FAILED, ST_CANCELLED = 1, 3, 4, 6, 7, 8

-- Counters are gathered during a call and written once at its end.
local totals, nameTotals = {}, {}

local function count(field, n)
    totals[field] = (totals[field] or 0) + n
end

local function countName(lid, field, n)
    local of = nameTotals[lid]
    if not of then
        of = {}
        nameTotals[lid] = of
    end
    of[field] = (of[field] or 0) + n
end

-- Names with jobs that became ready, and jobs that became final: told to the other masters, if there are any.
local becameReady, becameFinal = {}, {}

local function writeTotals()
    for field, n in pairs(totals) do
        if n ~= 0 then
            redis.call('HINCRBY', P .. 'count', field, n)
        end
    end
    for lid, of in pairs(nameTotals) do
        for field, n in pairs(of) do
            redis.call('HINCRBY', P .. 'name:' .. lid, field, n)
        end
    end
end

-- What else is gathered during a call and written once: functions that commit() calls.
local atCommit = {}

-- Ends a mutating call: counters, the hint, and the transaction number, which it returns.
local function commit(engine)
    writeTotals()
    for _, write in ipairs(atCommit) do
        write()
    end
    if (next(becameReady) or becameFinal[1]) and redis.call('ZCARD', P .. 'engines') > 1 then
        local names = {}
        for name in pairs(becameReady) do
            names[#names + 1] = name
        end
        redis.call('PUBLISH', P .. 'hint', cmsgpack.pack({ engine, names, becameFinal }))
    end
    return redis.call('INCR', P .. 'tx')
end
