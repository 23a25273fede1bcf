-- One page of a sorted set, after a given row. The row may be gone by now: the place is found by its order, not by its id.
-- Of a job that has never run and has not ended, only some fields can be there.
-- include bulk

local Page = {
    waiting = { field.attempt, field.state, field.run_at, field.depends, field.expires, field.tracked, field.finished, field.reason,
        field.message },
    fields = { field.attempt, field.state, field.run_at, field.depends, field.expires, field.tracked, field.finished, field.reason,
        field.message, field.failures, field.releases, field.worker, field.started, field.deadline, field.cancel, field.done, field.total,
        field.progress, field.deleted },
}

-- The index of the first member beyond `after` {order, id}, by halving: about 20 looks in a set of a million.
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

-- A job's row: order, id, record (cut), record's bytes, lease expires, fields.
local function rowOf(id, order, cutAt)
    local values = redis.call('HMGET', key.state .. id, unpack(Page.waiting))
    if values[1] or FINAL[tonumber(values[2])] then
        values = redis.call('HMGET', key.state .. id, unpack(Page.fields))
    end
    local record = redis.call('GETRANGE', key.job .. id, 0, cutAt - 1)
    return { tostring(order), id, record, #record == cutAt and redis.call('STRLEN', key.job .. id) or #record,
        values[2] == '4' and tonumber(redis.call('ZSCORE', key.running, id) or 0) or 0, values }
end

-- The rows of {member, order, member, order, …}: as many as are wanted, or as limit.page_bytes of records make. `cutAt`: bytes of each
-- record, 0 for all. Whether nothing stands behind them (0 or 1), and the rows.
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

-- The same of what was pushed only: whether nothing stands behind it, all that was found, and lists of the records (pieces/bulk.lua).
function Page.pushed(found, wanted)
    local lists, n = recordsOf(found, 2, math.min(#found, 2 * wanted), limit.page_bytes)
    return 2 * n == #found and 1 or 0, found, lists
end

-- Where the ready jobs of a name stand: its plain lane, those of jobs that no matcher limits (also of the last epochs, as they are sorted
-- anew in the background), and all that matchers limit.
function Page.readyKeys(n)
    local keys = { key.lane .. n }
    local epoch = tonumber(redis.call('GET', key.epoch) or 0)
    for e = epoch, math.max(1, epoch - limit.epochs_listed + 1), -1 do
        keys[#keys + 1] = key.lane .. n .. 'e' .. e
    end
    if epoch > 0 then
        keys[#keys + 1] = key.lane .. n .. 'e0'
        keys[#keys + 1] = key.listed .. n
    end
    return keys
end
