-- Keys that take turns: among ready jobs of equal priority, the key that has had least for its weight is next. Each key's bucket has a
-- virtual time, which every start moves on; latest_turn is the latest at which a job started, so that a key whose first job comes is not
-- owed the time before (as long as its last start is remembered).
-- Lanes of such jobs, and groups of them that wait at a bucket (<n>|<cost>f), stand in ready_in_turn in place of `ready`, and in
-- bucket_waiting, with their key's virtual time then before the member: the tag, 16 digits. As that time only grows while jobs of the key
-- wait, a tag is never too late, and the first one is looked at and put right before it is served. Jobs that no such constraint concerns go
-- by (priority, id) beside the first of these, so none of them waits longer than it did without.
-- include lanes
-- include bucket

function fairAt(carried)
    for i = 1, #carried, 3 do
        local con = constraintOf(string.match(carried[i], '^%d+'))
        if con and con.kind == 'fair' and con.mode == 'enforce' then
            return i
        end
    end
    return nil
end

local function tagNow(info)
    return string.format('%016.0f', bucketOf(info[4][info[5]], info[4][info[5] + 2]).f.vt or 0)
end

-- What a lane whose head is `id` is called where it stands, and where it is put now.
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

-- A member without its tag: the head's id and what stands for it.
local function untagged(member, fair)
    return fair and string.sub(member, 17) or member
end
