#!lua flags=no-writes
-- Gives a page of the jobs in one state.
-- KEYS[1] the namespace's prefix
-- ARGV[1] state
-- ARGV[2] limit
-- ARGV[3] name ('' for all; only for ready jobs)
-- ARGV[4] whether the page begins after a row (0 or 1)
-- ARGV[5] that row's order
-- ARGV[6] that row's id
-- ARGV[7] how many bytes of each record to read (0: all)
-- ARGV[8] whether only ids and records are wanted (0 or 1)
-- ARGV[9] whether the page is from the other end of the order (0 or 1)
-- Reply now, total, whether this is the last page (0 or 1), rows {order, id, record (cut), bytes of the record, lease expires, fields}; for
--       ids and records: {id, order, id, order, …} and lists of the records (pieces/bulk.lua).
-- include base
-- include paging

local state, wanted, name, cutAt = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[7])
local after, otherEnd = ARGV[4] == '1' and { order = tonumber(ARGV[5]), id = ARGV[6] }, ARGV[9] == '1'

-- The keys with the ready jobs of all names: lanes without buckets, which have their own entries in the ready index, and the lists by name
-- of jobs that carry buckets.
local function readyKeysOfAll()
    local keys = {}
    for _, entry in ipairs(redis.call('ZRANGE', key.ready, 0, limit.page_lanes - 1)) do
        local place = string.sub(entry, 17)
        if string.find(place, '^%d') then
            keys[#keys + 1] = key.lane .. place
        end
    end
    for _, nameNo in ipairs(redis.call('ZRANGE', key.listed_names, 0, limit.page_lanes - 1)) do
        keys[#keys + 1] = key.listed .. nameNo
    end
    return keys
end

-- Merges several sets into {member, score, …} by (score, member), or from the other end. Each set is read in small steps; when only one set
-- has members left, the rest is read from it at once. Most sets are empty, and these are not read again.
local function merge(keys)
    local lanes, step = {}, math.min(#keys > 8 and 32 or 128, wanted + 1)
    for _, itsKey in ipairs(keys) do
        local head = Page.start(itsKey, after, otherEnd)
        if head < redis.call('ZCARD', itsKey) then
            lanes[#lanes + 1] = { key = itsKey, head = head, buffer = {}, at = 1 }
        end
    end
    local function look(lane) -- reads the head of a set, nil at its end
        if lane.at > #lane.buffer then
            lane.buffer, lane.at = Page.range(lane.key, lane.head, step, otherEnd), 1
        end
        lane.id, lane.order = lane.buffer[lane.at], tonumber(lane.buffer[lane.at + 1])
    end
    local function best()
        local at = 1
        for i = 2, #lanes do
            if standsBefore(lanes[i].order, lanes[i].id, lanes[at].order, lanes[at].id) ~= otherEnd then
                at = i
            end
        end
        return lanes[at], at
    end
    if lanes[2] then
        for _, lane in ipairs(lanes) do
            look(lane)
        end
    end
    local rows = {}
    while lanes[2] and #rows / 2 <= wanted do
        local lane, at = best()
        rows[#rows + 1], rows[#rows + 2] = lane.id, lane.buffer[lane.at + 1]
        lane.head, lane.at = lane.head + 1, lane.at + 2
        look(lane)
        if not lane.id then
            table.remove(lanes, at)
        end
    end
    if lanes[1] and #rows / 2 <= wanted then
        for _, value in ipairs(Page.range(lanes[1].key, lanes[1].head, wanted + 1 - #rows / 2, otherEnd)) do
            rows[#rows + 1] = value
        end
    end
    return rows
end

local found, total
if state == ST_READY and name == '' then
    found, total = merge(readyKeysOfAll()), tonumber(redis.call('HGET', key.totals, field.totals.ready) or 0)
elseif state == ST_READY then
    local nameNo = redis.call('HGET', key.name_numbers, name)
    local keys = nameNo and Page.readyKeys(nameNo) or {}
    found, total = merge(keys), 0
    for _, itsKey in ipairs(keys) do
        total = total + redis.call('ZCARD', itsKey)
    end
else
    local itsKey = ({ [ST_SCHEDULED] = key.scheduled, [ST_DEPENDS] = key.depends, [ST_RUNNING] = key.running,
        [ST_AWAITING] = key.awaiting })[state]
        or FINAL[state]
    if not itsKey then
        return { now, 0, 1, {} }
    end
    local reversed = (FINAL[state] ~= nil) ~= otherEnd
    found, total = Page.range(itsKey, Page.start(itsKey, after, reversed), wanted + 1, reversed), redis.call('ZCARD', itsKey)
end

if ARGV[8] == '1' then
    return { now, total, Page.pushed(found, wanted) }
end
return { now, total, Page.rows(found, wanted, cutAt) }
