-- Shelves: a shelf holds the groups (bucket.lua) that their buckets do not admit, for one constraint and name, best head first. It is
-- called <constraint>|<name's number>, followed by f for groups that take turns. A change of a constraint may open all its groups, and
-- there may be very many. So a change does not look at each group: it moves each shelf, in one step, to a part that may have opened, and
-- this part gets one entry in the ready indexes. A claim that meets the entry looks at the part's best group first. So it looks only at
-- groups whose jobs it starts, and at groups that are still shut.
--   shut      the groups of a shelf that were shut when they were last looked at. A member is the one that the group would have in the
--             ready indexes.
--   may_open  a part: groups that were shut at a change and were not looked at since. Its entry in the ready indexes is the id of its best
--             head followed by m<shelf>|<version>; may_open_parts has this entry, too.
-- include lanes
-- include turns

local Shelf = {}

-- The shelf of a bucket's group.
function Shelf.of(b, group)
    return b.c .. '|' .. string.match(group, '^%d+') .. (isFairGroup(group) and 'f' or '')
end

-- The value in bucket_groups of a group that is on a shelf; and back, the score and the member in such a value.
function Shelf.mark(score, member)
    return '-' .. score .. '|' .. member
end

function Shelf.marked(value)
    return string.match(value, '^%-([^|]*)|(.*)$')
end

-- Whether a value in bucket_groups is that of a group in the ready indexes.
function Shelf.isOpen(value)
    return value ~= '' and string.byte(value) ~= 45
end

-- Updates the entry of a part in the ready indexes after its best group changed. `entry` is the member it has there now; nil when it has
-- none.
function Shelf.lead(shelf, v, entry)
    local nameNo, fair = string.match(shelf, '|(%d+)(f?)$')
    fair = fair == 'f'
    local first = redis.call('ZRANGE', key.may_open .. shelf .. '|' .. v, 0, 0, 'WITHSCORES')
    local wanted = first[1] and string.sub(first[1], 1, fair and 32 or 16) .. 'm' .. shelf .. '|' .. v
    if entry and wanted ~= entry then
        indexDrop(nameNo, entry, fair)
    end
    if not wanted then
        redis.call('HDEL', key.may_open_parts .. shelf, v)
        return
    end
    if wanted ~= entry then
        redis.call('HSET', key.may_open_parts .. shelf, v, wanted)
    end
    indexPut(nameNo, wanted, first[2], fair)
end

-- Puts a group onto its shelf.
function Shelf.put(shelf, member, score)
    redis.call('ZADD', key.shut .. shelf, score, member)
    redis.call('SADD', key.shut_shelves .. string.match(shelf, '^%d+'), shelf)
end

-- Takes a group off its shelf, or out of a part of it.
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

-- All groups that a constraint holds may be open now. Returns the parts to look at, {shelf, version, …}, and whether there are more shelves
-- than this call can serve; then nothing may start before the next call has served them.
function Shelf.change(number)
    local changed = {}
    for _, shelf in ipairs(redis.call('SPOP', key.shut_shelves .. number, limit.buckets_looked)) do
        local shut = key.shut .. shelf
        local parts = redis.call('HGETALL', key.may_open_parts .. shelf)
        local v, entry = parts[1], parts[2]
        if v and redis.call('ZCARD', shut) <= limit.buckets_looked then -- few groups: they join the part that is there already
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
