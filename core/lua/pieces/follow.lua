-- What follows a change of a constraint and did not fit into its call: follow, a list of <constraint>|<cursor>|<time of the change> for its
-- buckets, and of b<bucket>|<cursor>|<time> for what runs under one.

local function followBucket(id, since)
    local b = bucketOf(id)
    if b.con.k == 'share' then
        shareLack(b)
    else
        closingChanged(b, since)
    end
end

-- The next slice; whether there are more.
local function followConstraints()
    local first = redis.call('LPOP', key.following)
    if not first then
        return false
    end
    local bucket, place_, cursor, since = string.match(first, '^(b?)([^|]+)|(%d+)|(%d+)$')
    since = tonumber(since)
    local c = constraintOf(string.match(place_, '^%d+'))
    if c and (c.k == 'share' or c.k == 'window' and c.oc) then
        local found
        if bucket == '' then
            found = redis.call('SSCAN', key.constraint_buckets .. place_, cursor, 'COUNT', limit.items)
            for _, id in ipairs(found[2]) do
                followBucket(id, since)
            end
        else
            found = redis.call('ZSCAN', key.bucket_running .. place_, cursor, 'COUNT', limit.items)
            local b = bucketOf(place_)
            for i = 1, #found[2], 2 do
                local id = found[2][i]
                noteClosing(b, id, math.max(since, tonumber(redis.call('HGET', key.state .. id, field.started) or 0)))
            end
        end
        if found[1] ~= '0' then
            redis.call('RPUSH', key.following, bucket .. place_ .. '|' .. found[1] .. '|' .. since)
        end
    end
    return redis.call('EXISTS', key.following) == 1
end
