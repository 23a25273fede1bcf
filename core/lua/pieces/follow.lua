-- Work that a change of a constraint left to the sweep, because it was too much for one call. The list `follow` has an entry
-- <constraint>|<cursor>|<time of the change> for the buckets of a constraint, and b<bucket>|<cursor>|<time of the change> for the jobs that
-- run under one bucket.
-- include bucket
-- include kinds

-- Does the next slice of this work. Returns whether there are more.
local function followConstraints()
    local first = redis.call('LPOP', key.following)
    if not first then
        return false
    end
    local bucket, place_, cursor, since = string.match(first, '^(b?)([^|]+)|(%d+)|(%d+)$')
    since = tonumber(since)
    local con = constraintOf(string.match(place_, '^%d+'))
    local kind = con and Kinds[con.kind]
    if kind and kind.follows and kind.follows(con) then
        local found
        if bucket == '' then
            found = redis.call('SSCAN', key.constraint_buckets .. place_, cursor, 'COUNT', limit.items)
            for _, id in ipairs(found[2]) do
                kind.follow(bucketOf(id), since)
            end
        else
            found = redis.call('ZSCAN', key.bucket_running .. place_, cursor, 'COUNT', limit.items)
            local b = bucketOf(place_)
            for i = 1, #found[2], 2 do
                kind.followRunning(b, found[2][i], since)
            end
        end
        if found[1] ~= '0' then
            redis.call('RPUSH', key.following, bucket .. place_ .. '|' .. found[1] .. '|' .. since)
        end
    end
    return redis.call('EXISTS', key.following) == 1
end
