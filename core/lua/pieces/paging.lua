-- Pages of a sorted set. A page begins after a given row {order, id}, which may be gone by now, so its place is found by its order.
-- Page.waiting are the only fields that a job can have that never ran and has not ended; Page.fields are those of any job.
-- include bulk

local Page = {
    waiting = { field.attempt, field.state, field.run_at, field.depends, field.expires, field.tracked, field.finished, field.reason,
        field.message, field.created },
    fields = { field.attempt, field.state, field.run_at, field.depends, field.expires, field.tracked, field.finished, field.reason,
        field.message, field.created, field.failures, field.releases, field.worker, field.started, field.deadline, field.cancel,
        field.done, field.total, field.progress, field.deleted },
}

-- The index of the first member that comes after `after` {order, id}, by binary search: about 20 reads in a set of a million.
function Page.start(itsKey, after, reversed)
    if not after then
        return 0
    end
    local function beyond(id, order)
        if reversed then
            return standsBefore(order, id, after.order, after.id)
        end
        return standsBefore(after.order, after.id, order, id)
    end
    local low, high = 0, redis.call('ZCARD', itsKey)
    while low < high do
        local middle = math.floor((low + high) / 2)
        local found = redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', itsKey, middle, middle, 'WITHSCORES')
        if beyond(found[1], tonumber(found[2])) then
            high = middle
        else
            low = middle + 1
        end
    end
    return low
end

-- `n` members from index `from`: {member, order, member, order, …}.
function Page.range(itsKey, from, n, reversed)
    return redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', itsKey, from, from + n - 1, 'WITHSCORES')
end

-- A job's row: {order, id, record (cut), bytes of the whole record, when its lease expires (0: none), fields}.
local function rowOf(id, order, cutAt)
    local values = redis.call('HMGET', key.state .. id, unpack(Page.waiting))
    if values[1] or FINAL[tonumber(values[2])] then
        values = redis.call('HMGET', key.state .. id, unpack(Page.fields))
    end
    local record = redis.call('GETRANGE', key.job .. id, 0, cutAt - 1)
    return { tostring(order), id, record, #record == cutAt and redis.call('STRLEN', key.job .. id) or #record,
        values[2] == '4' and tonumber(redis.call('ZSCORE', key.running, id) or 0) or 0, values }
end

-- The rows of {member, order, member, order, …}: as many as are wanted, but it stops when the records have limit.page_bytes. `cutAt`: how
-- many bytes of each record to read, 0 for all. Returns whether these are the last rows (0 or 1), and the rows.
function Page.rows(found, wanted, cutAt)
    local rows, bytes = {}, 0
    for at = 1, math.min(#found, 2 * wanted), 2 do
        if bytes >= limit.page_bytes then
            return 0, rows
        end
        local row = rowOf(found[at], found[at + 1], cutAt)
        rows[#rows + 1], bytes = row, bytes + #row[3]
    end
    return #found > 2 * wanted and 0 or 1, rows
end

-- The same with the records only: returns whether these are the last (0 or 1), all members found, and lists of the records
-- (pieces/bulk.lua).
function Page.pushed(found, wanted)
    local lists, n = recordsOf(found, 2, math.min(#found, 2 * wanted), limit.page_bytes)
    return 2 * n == #found and 1 or 0, found, lists
end

-- The keys that together have all ready jobs of a name: its plain lane, the lanes of jobs that no matcher limits (also those of the last
-- epochs, which may not be read again yet), and the list of jobs that carry buckets.
function Page.readyKeys(nameNo)
    local keys = { key.lane .. nameNo }
    local epoch = tonumber(redis.call('GET', key.epoch) or 0)
    for e = epoch, math.max(1, epoch - limit.epochs_listed + 1), -1 do
        keys[#keys + 1] = key.lane .. nameNo .. 'e' .. e
    end
    if epoch > 0 then
        keys[#keys + 1] = key.lane .. nameNo .. 'e0'
        keys[#keys + 1] = key.listed .. nameNo
    end
    return keys
end
