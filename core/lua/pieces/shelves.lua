-- Shelves: where groups of lanes stand whose buckets do not admit them, by constraint, name and best waiter. A change of the constraint
-- may open them all: they go back to the ready indexes as they stand there, one entry for each name, and a claim looks at the best of them
-- first, so it looks at no more than it starts and those that are still closed, however many they are.
--   shut:<shelf> zset(priority, member): those that were closed when they were looked at. A shelf is <constraint>|<n>, with f behind it for
--     those that take turns; a member is the group's as it would stand in the ready indexes
--   may:<shelf>|<v> zset(priority, member): those that were in shut: at a change, and were not looked at since; together they stand in the
--     ready indexes by the best of them, as its head's id followed by m<shelf>|<v>
--   mays:<shelf> hash: v → that entry · shuts:<constraint> set of its shelves that have a shut: · reopens set of constraints
--     of which not all that was shut came to may: yet
local Shelf = {}

function Shelf.of(b, group)
    return b.c .. '|' .. string.match(group, '^%d+') .. (isFairGroup(group) and 'f' or '')
end

-- What bg: says of a group that stands on a shelf, and the member there that it says.
function Shelf.mark(score, member)
    return '-' .. score .. '|' .. member
end

function Shelf.marked(value)
    return string.match(value, '^%-([^|]*)|(.*)$')
end

-- Whether bg: says that a group stands in the ready indexes.
function Shelf.isOpen(value)
    return value ~= '' and string.byte(value) ~= 45
end

-- Puts what may have opened where the best of it stands by now; `entry` is its member in the ready indexes, nothing when it has none.
function Shelf.lead(shelf, v, entry)
    local n, fair = string.match(shelf, '|(%d+)(f?)$')
    fair = fair == 'f'
    local first = redis.call('ZRANGE', P .. 'may:' .. shelf .. '|' .. v, 0, 0, 'WITHSCORES')
    local wanted = first[1] and string.sub(first[1], 1, fair and 32 or 16) .. 'm' .. shelf .. '|' .. v
    if entry and wanted ~= entry then
        indexDrop(n, entry, fair)
    end
    if not wanted then
        redis.call('HDEL', P .. 'mays:' .. shelf, v)
        return
    end
    if wanted ~= entry then
        redis.call('HSET', P .. 'mays:' .. shelf, v, wanted)
    end
    indexPut(n, wanted, first[2], fair)
end

function Shelf.put(shelf, member, score)
    redis.call('ZADD', P .. 'shut:' .. shelf, score, member)
    redis.call('SADD', P .. 'shuts:' .. string.match(shelf, '^%d+'), shelf)
end

function Shelf.take(shelf, member)
    if redis.call('ZREM', P .. 'shut:' .. shelf, member) == 1 then
        if redis.call('EXISTS', P .. 'shut:' .. shelf) == 0 then
            redis.call('SREM', P .. 'shuts:' .. string.match(shelf, '^%d+'), shelf)
        end
        return
    end
    local parts = redis.call('HGETALL', P .. 'mays:' .. shelf)
    for i = 1, #parts, 2 do
        if redis.call('ZREM', P .. 'may:' .. shelf .. '|' .. parts[i], member) == 1 then
            Shelf.lead(shelf, parts[i], parts[i + 1])
        end
    end
end

-- All that is shut by a constraint may be open now. Returns {shelf, v, …}: what is to be looked at; and whether there are more shelves,
-- before which nothing is to start.
function Shelf.change(number)
    local changed = {}
    for _, shelf in ipairs(redis.call('SPOP', P .. 'shuts:' .. number, limit.buckets_looked)) do
        local shut = P .. 'shut:' .. shelf
        local parts = redis.call('HGETALL', P .. 'mays:' .. shelf)
        local v, entry = parts[1], parts[2]
        if v and redis.call('ZCARD', shut) <= limit.buckets_looked then -- few join those that are still to be looked at
            local few, words = redis.call('ZRANGE', shut, 0, -1, 'WITHSCORES'), {}
            for i = 1, #few, 2 do
                words[i], words[i + 1] = few[i + 1], few[i]
            end
            redis.call('ZADD', P .. 'may:' .. shelf .. '|' .. v, unpack(words))
            redis.call('DEL', shut)
        else
            v, entry = tostring(redis.call('INCR', P .. 'version')), nil
            redis.call('RENAME', shut, P .. 'may:' .. shelf .. '|' .. v)
        end
        Shelf.lead(shelf, v, entry)
        changed[#changed + 1], changed[#changed + 2] = shelf, v
    end
    local more = redis.call('EXISTS', P .. 'shuts:' .. number) == 1
    redis.call(more and 'SADD' or 'SREM', P .. 'reopens', number)
    return changed, more
end
