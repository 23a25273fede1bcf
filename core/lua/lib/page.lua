-- One page of a sorted set, after a given row. The row may be gone by now: the place is found by its order, not by its id.
local Page = { fields = { 'st', 'a', 'f', 'r', 'w', 't', 'dl', 'cx', 'fi', 'rs', 'ra', 'm', 'pgd', 'pgt', 'pgm', 'dn', 'xp', 'tk', 'tr' } }

-- The index of the first member beyond `after` {order, id}, by halving: about 20 looks in a set of a million.
function Page.start(key, after, reversed)
    if not after then
        return 0
    end
    local function beyond(id, order)
        if reversed then
            return order < after.order or (order == after.order and id < after.id)
        end
        return order > after.order or (order == after.order and id > after.id)
    end
    local low, high = 0, redis.call('ZCARD', key)
    while low < high do
        local middle = math.floor((low + high) / 2)
        local found = redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', key, middle, middle, 'WITHSCORES')
        if beyond(found[1], tonumber(found[2])) then
            high = middle
        else
            low = middle + 1
        end
    end
    return low
end

-- `n` members from index `from`: {member, order, member, order, …}.
function Page.range(key, from, n, reversed)
    return redis.call(reversed and 'ZREVRANGE' or 'ZRANGE', key, from, from + n - 1, 'WITHSCORES')
end

-- A job's row: order, id, record (cut), record's bytes, lease expires, fields.
function Page.row(id, order, cutAt)
    local values = redis.call('HMGET', P .. 's:' .. id, unpack(Page.fields))
    return { tostring(order), id, redis.call('GETRANGE', P .. 'j:' .. id, 0, cutAt - 1), redis.call('STRLEN', P .. 'j:' .. id),
        values[1] == '4' and tonumber(redis.call('ZSCORE', RUNNING, id) or 0) or 0, values }
end

-- Where the ready jobs of a name stand: its plain lane, those of jobs that no matcher limits (of the last epochs, as they are sorted anew
-- in the background), and all that matchers limit.
function Page.readyKeys(n)
    local keys = { P .. 'lane:' .. n }
    local epoch = tonumber(redis.call('GET', P .. 'epoch') or 0)
    for e = epoch, math.max(1, epoch - limit.epochs_listed + 1), -1 do
        keys[#keys + 1] = P .. 'lane:' .. n .. 'e' .. e
    end
    if epoch > 0 then
        keys[#keys + 1] = P .. 'al:' .. n
    end
    return keys
end
