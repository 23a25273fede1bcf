-- fsck's checks of shelves (pieces/shelves.lua explains the keys).
-- include bucket
-- include turns
-- include shelves
-- include check
-- include checkbuckets

-- The shelf and the version in an entry that leads to a part of a shelf; nil for another entry.
function Shelf.part(place_)
    return string.match(place_, '^m(.*)|(%d+)$')
end

-- Whether a group is on the shelf, by its first lane, as its value in bucket_groups says.
function Check.shelved(b, group, value, first)
    local score, member = Shelf.marked(value)
    local shelf = Shelf.of(b, group)
    if score ~= first[2] or member ~= string.sub(first[1], 1, isFairGroup(group) and 32 or 16) .. 'b' .. b.id .. '|' .. group then
        return false
    end
    local stands = redis.call('ZSCORE', key.shut .. shelf, member) == score
    for _, v in ipairs(redis.call('HKEYS', key.may_open_parts .. shelf)) do
        stands = stands or redis.call('ZSCORE', key.may_open .. shelf .. '|' .. v, member) == score
    end
    return stands
end

-- Checks a member of a shelf, or of a part of one.
function Check.onShelf(name, shelf, member, score)
    local bucket, group = string.match(untagged(member, isFairGroup(shelf)), '^................b([^|]+)|(.*)$')
    if not bucket or redis.call('HGET', key.bucket_groups .. bucket, group) ~= Shelf.mark(score, member)
        or Shelf.of(bucketOf(bucket), group) ~= shelf then
        Check.bad('I14', name, 'lanes that do not wait there', function()
            redis.call('ZREM', P .. name, member)
            local v = string.match(name, '^' .. bare.may_open .. '.*|(%d+)$')
            if v then
                Shelf.lead(shelf, v, redis.call('HGET', key.may_open_parts .. shelf, v) or nil)
            elseif redis.call('EXISTS', P .. name) == 0 then
                redis.call('SREM', key.shut_shelves .. string.match(shelf, '^%d+'), shelf)
            end
        end)
    end
end

-- Checks the key of a shelf, which its constraint must list, or of a part, which must have its entry in the ready indexes.
function Check.shelf(rest, itsKey)
    local shelf, v = rest, nil
    if string.match(itsKey, '^' .. bare.may_open) then
        shelf, v = string.match(rest, '^(.*)|(%d+)$')
    end
    local nameNo, fair = string.match(shelf or '', '^%d+|(%d+)(f?)$')
    if not nameNo then
        Check.bad('I17', itsKey, 'it is no shelf', function()
            redis.call('UNLINK', P .. itsKey)
        end)
    elseif not v and redis.call('SISMEMBER', key.shut_shelves .. string.match(shelf, '^%d+'), shelf) == 0 then
        Check.bad('I14', itsKey, 'a change of its constraint would pass it by', function()
            redis.call('SADD', key.shut_shelves .. string.match(shelf, '^%d+'), shelf)
        end)
    elseif v then
        local first = redis.call('ZRANGE', P .. itsKey, 0, 0, 'WITHSCORES')
        local entry = string.sub(first[1], 1, fair == 'f' and 32 or 16) .. 'm' .. shelf .. '|' .. v
        local index = Check.index(fair == 'f')
        if redis.call('HGET', key.may_open_parts .. shelf, v) ~= entry or redis.call('ZSCORE', index, entry) ~= first[2]
            or redis.call('ZSCORE', index .. ':' .. nameNo, entry) ~= first[2] then
            Check.bad('I14', itsKey, 'no ready index leads to what may have opened', function()
                Shelf.lead(shelf, v, redis.call('HGET', key.may_open_parts .. shelf, v) or nil)
            end)
        end
    end
end
