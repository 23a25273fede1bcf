-- Shelves: where groups of lanes stand whose buckets do not admit them, by constraint, name and best waiter. A change of the constraint
-- may open them all: they go back to the ready indexes as they stand there, one entry for each name, and a claim looks at the best of them
-- first, so it looks at no more than it starts and those that are still closed, however many they are.
--   shut: those that were closed when they were looked at. A shelf is <constraint>|<n>, with f behind it for those that take turns; a
--     member is the group's as it would stand in the ready indexes
--   may_open: those that were shut at a change, and were not looked at since; together they stand in the ready indexes by the best of them,
--     as its head's id followed by m<shelf>|<v>. may_open_parts has that entry
-- include lanes
-- include turns

local Shelf = {}

function Shelf.of(b, group)
    return b.c .. '|' .. string.match(group, '^%d+') .. (isFairGroup(group) and 'f' or '')
end

-- What bucket_groups says of a group that stands on a shelf, and the member there that it says.
function Shelf.mark(score, member)
    return '-' .. score .. '|' .. member
end

function Shelf.marked(value)
    return string.match(value, '^%-([^|]*)|(.*)$')
end

-- Whether bucket_groups says that a group stands in the ready indexes.
function Shelf.isOpen(value)
    return value ~= '' and string.byte(value) ~= 45
end

-- Puts what may have opened where the best of it stands by now; `entry` is its member in the ready indexes, nothing when it has none.
function Shelf.lead(shelf, v, entry)
    local n, fair = string.match(shelf, '|(%d+)(f?)$')
    fair = fair == 'f'
    local first = redis.call('ZRANGE', key.may_open .. shelf .. '|' .. v, 0, 0, 'WITHSCORES')
    local wanted = first[1] and string.sub(first[1], 1, fair and 32 or 16) .. 'm' .. shelf .. '|' .. v
    if entry and wanted ~= entry then
        indexDrop(n, entry, fair)
    end
    if not wanted then
        redis.call('HDEL', key.may_open_parts .. shelf, v)
        return
    end
    if wanted ~= entry then
        redis.call('HSET', key.may_open_parts .. shelf, v, wanted)
    end
    indexPut(n, wanted, first[2], fair)
end

function Shelf.put(shelf, member, score)
    redis.call('ZADD', key.shut .. shelf, score, member)
    redis.call('SADD', key.shut_shelves .. string.match(shelf, '^%d+'), shelf)
end

function Shelf.take(shelf, member)
    if redis.call('ZREM', key.shut .. shelf, member) == 1 then
        if redis.call('EXISTS', key.shut .. shelf) == 0 then
            redis.call('SREM', key.shut_shelves .. string.match(shelf, '^%d+'), shelf)
        end
        return
    end
    local parts = redis.call('HGETALL', key.may_open_parts .. shelf)
    for i = 1, #parts, 2 do
        if redis.call('ZREM', key.may_open .. shelf .. '|' .. parts[i], member) == 1 then
            Shelf.lead(shelf, parts[i], parts[i + 1])
        end
    end
end

-- All that is shut by a constraint may be open now. Returns {shelf, v, …}: what is to be looked at; and whether there are more shelves,
-- before which nothing is to start.
function Shelf.change(number)
    local changed = {}
    for _, shelf in ipairs(redis.call('SPOP', key.shut_shelves .. number, limit.buckets_looked)) do
        local shut = key.shut .. shelf
        local parts = redis.call('HGETALL', key.may_open_parts .. shelf)
        local v, entry = parts[1], parts[2]
        if v and redis.call('ZCARD', shut) <= limit.buckets_looked then -- few join those that are still to be looked at
            local few, words = redis.call('ZRANGE', shut, 0, -1, 'WITHSCORES'), {}
            for i = 1, #few, 2 do
                words[i], words[i + 1] = few[i + 1], few[i]
            end
            redis.call('ZADD', key.may_open .. shelf .. '|' .. v, unpack(words))
            redis.call('DEL', shut)
        else
            v, entry = tostring(redis.call('INCR', key.version)), nil
            redis.call('RENAME', shut, key.may_open .. shelf .. '|' .. v)
        end
        Shelf.lead(shelf, v, entry)
        changed[#changed + 1], changed[#changed + 2] = shelf, v
    end
    local more = redis.call('EXISTS', key.shut_shelves .. number) == 1
    redis.call(more and 'SADD' or 'SREM', key.reopening, number)
    return changed, more
end
