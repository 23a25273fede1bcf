#!lua
-- Adds ids of all jobs in one state to a frozen view, without reading the jobs. Not for ready jobs, which stand in many lanes.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] view
-- ARGV[3] how many ids it has so far: 0 makes it
-- ARGV[4] who makes it, packed by C++; for the first call
-- ARGV[5] when it is frozen, ms: jobs that were made later are left out
-- ARGV[6] state of the jobs
-- ARGV[7] how many jobs to look at
-- ARGV[8] whether to begin after a job (0 or 1)
-- ARGV[9] that job's order
-- ARGV[10] that job's id
-- ARGV[11] whether the list begins at the other end of its order (0 or 1)
-- Reply now, transaction, how many ids it has, order and id of the last job (nothing: there are no more); or a word (NOT_FOUND: it has
--       expired; FULL: there are too many views; REPEATED: the call before did this, and its reply is lost).
-- include base
-- include paging
-- include views
-- include freezing

local KEYS_OF = { [1] = key.scheduled, [2] = key.depends, [4] = key.running, [5] = key.awaiting, [6] = FINAL[6], [7] = FINAL[7],
    [8] = FINAL[8] }

local function madeBefore(id, asOf)
    local high, low = struct.unpack('>I2I4', id)
    return high * 4294967296 + low <= asOf
end

local function freeze(view, sofar)
    local has = viewCount(view, sofar, ARGV[4], ARGV[5])
    if type(has) == 'string' then
        return has
    elseif has ~= sofar then
        return 'REPEATED'
    end
    local state, wanted, asOf = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[5])
    local itsKey, reversed = KEYS_OF[state], (FINAL[state] ~= nil) ~= (ARGV[11] == '1')
    local after = ARGV[8] == '1' and { order = tonumber(ARGV[9]), id = ARGV[10] }
    local found = Page.range(itsKey, Page.start(itsKey, after, reversed), wanted, reversed)
    local ids = {}
    for at = 1, #found, 2 do
        if madeBefore(found[at], asOf) then
            ids[#ids + 1] = found[at]
        end
    end
    has = appendIds(view, has, table.concat(ids))
    local last = #found < 2 * wanted
    redis.call('HSET', key.view .. view, field.view.state, last and 1 or 0)
    keepView(view, limit.view_ms)
    return has, not last and { found[#found], found[#found - 1] } or {}
end

local answer, last = freeze(ARGV[2], tonumber(ARGV[3]))
return { now, commit(ARGV[1], false), answer, last or {} }
