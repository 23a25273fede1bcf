-- Keys that take turns (kind fair): among ready jobs of equal priority, the key that has had least for its weight is next. This is weighted
-- fair queueing: each key's bucket has a virtual time, which every start of its jobs moves on. latest_turn is the latest virtual time at
-- which a job started; a key that had no ready jobs begins there, so it does not catch up for the time before.
-- Lanes of such jobs, and groups of these lanes that wait at a bucket (<n>|<cost>f), have their entries in ready_in_turn instead of
-- `ready`. There and in bucket_waiting a tag of 16 digits precedes the member: the key's virtual time when the entry was written. That time
-- only grows while jobs of the key wait, so a tag is never too high; before the first entry is served, its tag is corrected. Jobs without
-- such a constraint compete by (priority, id) with the first entry in turn, so none of them waits longer than without turns.
-- include lanes
-- include bucket

-- The place, in buckets, of the one whose constraint makes its keys take turns; nil when there is none.
function fairAt(carried)
    for i = 1, #carried, 3 do
        local con = constraintOf(string.match(carried[i], '^%d+'))
        if con and con.kind == 'fair' and con.mode == 'enforce' then
            return i
        end
    end
    return nil
end

-- The present virtual time of a lane's key, as a tag.
local function tagNow(info)
    local b = bucketOf(info[4][info[5]], info[4][info[5] + 2])
    return string.format('%016.0f', b.f.turn or 0)
end

-- The member of a lane whose head is `id`: as it is stored now, and as it is to be stored with the present tag.
function memberOf(lane, info, id)
    return (info[5] and redis.call('HGET', key.lane_tags, lane) or '') .. id .. lane
end

function newMember(lane, info, id)
    if not info[5] then
        return id .. lane
    end
    local tag = tagNow(info)
    redis.call('HSET', key.lane_tags, lane, tag)
    return tag .. id .. lane
end

local function isFairGroup(group)
    return string.sub(group, -1) == 'f'
end

-- A member without its tag: the head's id, then what it leads to.
local function untagged(member, fair)
    return fair and string.sub(member, 17) or member
end
