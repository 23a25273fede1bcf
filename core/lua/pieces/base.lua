-- What every script begins with: the prefix of the keys, the time, the counters, the hints and the commit. embed.py puts in the names of
-- schema.lua at build time; core/redis/scripts.cpp puts in the time (at the mark below) and the numbers of core/limits.h.
-- KEYS[1] is the namespace's prefix `jq:{ns}:`. A script makes every key from it (key.…, schema.lua) and never from a user's text alone.
local P = KEYS[1]
--@now

local FINAL = { [6] = key.succeeded, [7] = key.failed, [8] = key.cancelled }
local ST_SCHEDULED, ST_DEPENDS, ST_READY, ST_RUNNING, ST_AWAITING, ST_SUCCEEDED, ST_FAILED, ST_CANCELLED = 1, 2, 3, 4, 5, 6, 7, 8

-- Whether a text comes before another one in the order of Redis' members, which is byte by byte. Lua's own < depends on the locale in which
-- Redis was started.
local function precedes(text, other)
    for at = 1, math.min(#text, #other) do
        local byte, its = string.byte(text, at), string.byte(other, at)
        if byte ~= its then
            return byte < its
        end
    end
    return #text < #other
end

-- The same for two entries of a sorted set.
local function standsBefore(score, member, otherScore, other)
    return score < otherScore or score == otherScore and precedes(member, other)
end

-- A whole number as a text. Redis itself makes a text of a number among a command's arguments, but by "%.17g", which takes as long as half
-- a command. embed.py puts whole() around the time and states there.
local wholes = {}

local function whole(n)
    local text = wholes[n]
    if not text then
        text = string.format('%d', n)
        wholes[n] = text
    end
    return text
end

-- Counters are gathered during a call and written once at its end.
local totals, nameTotals = {}, {}

local function count(stored, n)
    totals[stored] = (totals[stored] or 0) + n
end

local function countName(nameNo, stored, n)
    local of = nameTotals[nameNo]
    if not of then
        of = {}
        nameTotals[nameNo] = of
    end
    of[stored] = (of[stored] or 0) + n
end

-- What masters are told after this call: the names that got ready jobs, the jobs that became final, and the time at which the first of the
-- buckets found shut opens by itself, because one master has to look again at that time.
local becameReady, becameFinal = {}, {}
local opensFirst = nil

local function opensAt(at)
    opensFirst = math.min(at, opensFirst or at)
end

-- The hints of this call, which are the last part of a reply: {names that got ready jobs, ids of jobs that became final, when a bucket
-- opens (ms; 0: none does)}. The first `known` ids are left out: the caller has them in its answers.
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

local settleLanes, settleBuckets -- defined in lanes.lua and admission.lua, if a script includes them

-- Returns whether there was anything to write.
local function writeTotals()
    local counted = false
    for stored, n in pairs(totals) do
        if n ~= 0 then
            redis.call('HINCRBY', key.totals, stored, whole(n))
            counted = true
        end
    end
    for nameNo, of in pairs(nameTotals) do
        for stored, n in pairs(of) do
            redis.call('HINCRBY', key.name_totals .. nameNo, stored, whole(n))
        end
    end
    return counted
end

-- Functions that write what other pieces gather during a call; commit() calls them.
local AtCommit = {}

-- Ends a call that changes something: writes what was gathered, publishes the hints, and returns the new transaction number. `kind` is what
-- it changed (field.changed.…): jobs when it is left out, and only the jobs that were counted when it is false.
local function commit(engine, kind)
    if settleLanes then
        settleLanes()
        settleBuckets()
    end
    local counted = writeTotals()
    for _, write in ipairs(AtCommit) do
        write()
    end
    local jobs = next(becameReady) or becameFinal[1]
    if jobs or opensFirst then
        -- An engine reads the hints in its own reply. Other callers, such as the editor of the matchers, do not, so theirs are published.
        local engines = redis.call('ZRANGE', key.engines, 0, 1)
        local heard = engines[1] == engine or redis.call('ZSCORE', key.engines, engine)
        if not heard or jobs and engines[2] then
            local told = hints(0)
            redis.call('PUBLISH', key.hint, cmsgpack.pack({ engine, told[1], told[2], heard and 0 or told[3] }))
        end
    end
    local transaction = redis.call('INCR', key.transaction)
    if kind then
        redis.call('HSET', key.changed, kind, transaction)
    end
    if kind == nil or counted or jobs then
        redis.call('HSET', key.changed, field.changed.jobs, transaction)
    end
    return transaction
end
