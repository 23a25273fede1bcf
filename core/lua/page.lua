#!lua flags=no-writes
-- One page of the jobs in one state, after a given row.
-- KEYS[1] prefix. ARGV: state, limit, name ('' for all; ready only), whether there is a row before (0 or 1), its order, its id,
-- bytes of each record to read (0: all), whether only what was pushed is wanted (0 or 1).
-- Reply: now, total, end (0 or 1), rows {order, id, record (cut), record's bytes, lease expires, fields…}, or flat: order, id, record, ….
-- include base
-- include page

local state, wanted, name, cutAt = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[7])
local after = ARGV[4] == '1' and { order = tonumber(ARGV[5]), id = ARGV[6] }

-- Of all names: what is no c-lane stands in the ready index by itself, the rest is listed by name.
local function readyKeysOfAll()
    local keys = {}
    for _, entry in ipairs(redis.call('ZRANGE', READY_INDEX, 0, limit.page_lanes - 1)) do
        local place = string.sub(entry, 17)
        if string.find(place, '^%d') then
            keys[#keys + 1] = P .. 'lane:' .. place
        end
    end
    for _, n in ipairs(redis.call('ZRANGE', P .. 'aln', 0, limit.page_lanes - 1)) do
        keys[#keys + 1] = P .. 'al:' .. n
    end
    return keys
end

-- The best rows over several sets: each is read in small steps, and the best head of all is taken each time.
local function merge(keys)
    local lanes, step = {}, math.min(#keys > 8 and 32 or 128, wanted + 1)
    for i, key in ipairs(keys) do
        lanes[i] = { key = key, from = Page.start(key, after, false), buffer = {}, at = 1 }
    end
    local function peek(lane)
        if lane.at > #lane.buffer then
            lane.buffer, lane.at = Page.range(lane.key, lane.from, step, false), 1
            lane.from = lane.from + #lane.buffer / 2
        end
        return lane.buffer[lane.at], tonumber(lane.buffer[lane.at + 1])
    end
    local rows = {}
    while #rows / 2 <= wanted do
        local best, bestId, bestOrder
        for _, lane in ipairs(lanes) do
            local id, order = peek(lane)
            if id and (not best or standsBefore(order, id, bestOrder, bestId)) then
                best, bestId, bestOrder = lane, id, order
            end
        end
        if not best then
            break
        end
        rows[#rows + 1], rows[#rows + 2] = bestId, bestOrder
        best.at = best.at + 2
    end
    return rows
end

local found, total
if state == ST_READY and name == '' then
    found, total = merge(readyKeysOfAll()), tonumber(redis.call('HGET', P .. 'count', 'ready') or 0)
elseif state == ST_READY then
    local n = redis.call('HGET', P .. 'lanes', name)
    local keys = n and Page.readyKeys(n) or {}
    found, total = merge(keys), 0
    for _, key in ipairs(keys) do
        total = total + redis.call('ZCARD', key)
    end
else
    local key = ({ [ST_SCHEDULED] = SCHEDULED, [ST_DEPENDS] = DEPENDS, [ST_RUNNING] = RUNNING, [ST_AWAITING] = AWAITING })[state]
        or FINAL[state]
    if not key then
        return { now, 0, 1, {} }
    end
    local reversed = FINAL[state] ~= nil
    found, total = Page.range(key, Page.start(key, after, reversed), wanted + 1, reversed), redis.call('ZCARD', key)
end

if ARGV[8] == '1' then
    return { now, total, Page.pushed(found, wanted) }
end
return { now, total, Page.rows(found, wanted, cutAt) }
