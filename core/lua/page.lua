#!lua flags=no-writes
-- One page of the jobs in one state, after a given row. The row may be gone by now: the place is found by its order, not by its id.
-- KEYS[1] prefix. ARGV: state, limit, name ('' for all; ready only), whether there is a row before (0 or 1), its order, its id,
-- bytes of a record to read at most.
-- Reply: now, total, end (0 or 1), rows {order, id, record (cut), record's bytes, lease expires, fields…}.
-- include base

local state, wanted, name, cutAt = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[7])
local after = ARGV[4] == '1' and { order = tonumber(ARGV[5]), id = ARGV[6] }
local FIELDS = { 'st', 'a', 'f', 'r', 'w', 't', 'dl', 'cx', 'fi', 'rs', 'ra', 'm', 'pgd', 'pgt', 'pgm', 'dn', 'xp' }

local function beyond(id, order, reversed)
    if reversed then
        return order < after.order or (order == after.order and id < after.id)
    end
    return order > after.order or (order == after.order and id > after.id)
end

-- The index of the first member beyond the row before, by halving: about 20 looks in a set of a million.
local function startOf(key, reversed)
    if not after then
        return 0
    end
    local low, high = 0, redis.call('ZCARD', key)
    while low < high do
        local middle = math.floor((low + high) / 2)
        local found = redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', key, middle, middle, 'WITHSCORES')
        if beyond(found[1], tonumber(found[2]), reversed) then
            high = middle
        else
            low = middle + 1
        end
    end
    return low
end

local function range(key, from, n, reversed)
    return redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', key, from, from + n - 1, 'WITHSCORES')
end

-- The best rows over all lanes: each lane is read in small steps, and the best head of all is taken each time.
local function mergeLanes()
    local lanes = {}
    for _, entry in ipairs(redis.call('ZRANGE', READY_INDEX, 0, limit.page_lanes - 1)) do
        local key = P .. 'lane:' .. string.sub(entry, 17)
        lanes[#lanes + 1] = { key = key, from = startOf(key, false), buffer = {}, at = 1 }
    end
    local function peek(lane)
        if lane.at > #lane.buffer then
            lane.buffer, lane.at = range(lane.key, lane.from, 32, false), 1
            lane.from = lane.from + #lane.buffer / 2
        end
        return lane.buffer[lane.at], tonumber(lane.buffer[lane.at + 1])
    end
    local rows = {}
    while #rows / 2 <= wanted do
        local best, bestId, bestOrder
        for _, lane in ipairs(lanes) do
            local id, order = peek(lane)
            if id and (not best or order < bestOrder or (order == bestOrder and id < bestId)) then
                best, bestId, bestOrder = lane, id, order
            end
        end
        if not best then
            break
        end
        rows[#rows + 1], rows[#rows + 2] = bestId, bestOrder
        best.at = best.at + 2
    end
    return rows, tonumber(redis.call('HGET', P .. 'count', 'ready') or 0)
end

local found, total
if state == ST_READY and name == '' then
    found, total = mergeLanes()
else
    local key = ({ [ST_SCHEDULED] = SCHEDULED, [ST_DEPENDS] = DEPENDS, [ST_RUNNING] = RUNNING, [ST_AWAITING] = AWAITING })[state]
        or FINAL[state]
    if state == ST_READY then
        local lid = redis.call('HGET', P .. 'lanes', name)
        key = lid and P .. 'lane:' .. lid
    end
    if not key then
        return { now, 0, 1, {} }
    end
    local reversed = FINAL[state] ~= nil
    found, total = range(key, startOf(key, reversed), wanted + 1, reversed), redis.call('ZCARD', key)
end

local rows = {}
for i = 1, math.min(#found, 2 * wanted), 2 do
    local id = found[i]
    local record = redis.call('GETRANGE', P .. 'j:' .. id, 0, cutAt - 1)
    rows[#rows + 1] = { tostring(found[i + 1]), id, record, redis.call('STRLEN', P .. 'j:' .. id),
        state == ST_RUNNING and tonumber(found[i + 1]) or 0, redis.call('HMGET', P .. 's:' .. id, unpack(FIELDS)) }
end
return { now, total, #found > 2 * wanted and 0 or 1, rows }
