-- Removes what was kept long enough, at most limit.items of each kind in a call. Each function returns whether there may be more.
-- include measures
-- include failuregroups
-- include retaining
-- include paging

-- Removes final jobs that are too old or too many, and old jobs in the trash. Returns how many, and whether there may be more.
function Retention.purge()
    Retention.flush()
    local settings = Retention.settings()
    local ids = redis.call('ZRANGEBYSCORE', key.purge, '-inf', now, 'LIMIT', 0, limit.items)
    local free, tracked = Retention.untracked(ids)
    for _, id in ipairs(tracked) do
        redis.call('ZADD', key.purge, now + limit.tracked_put_off_ms, id)
    end
    Retention.remove(free)
    local gone, more = #free, #ids == limit.items
    for state = 6, 8 do
        local n = Retention.shrink(FINAL[state], settings.counts[state])
        gone, more = gone + n, more or n == limit.items
    end
    local trash = redis.call('ZRANGEBYSCORE', key.trash, '-inf', now - limit.trash_ms, 'LIMIT', 0, limit.items)
    Retention.remove(trash)
    return gone + #trash, more or #trash == limit.items
end

-- After a change of the retention settings, gives all final jobs their new times to be purged at, state after state, oldest first. The hash
-- `replace` says how far this has got.
function Retention.placeAgain()
    local itsKey = key.replacing
    local known = redis.call('HMGET', itsKey, field.replacing.state, field.replacing.order, field.replacing.id)
    local state = tonumber(known[1])
    if not state then
        return false
    end
    local after = known[2] and { order = tonumber(known[2]), id = known[3] }
    local found = Page.range(FINAL[state], Page.start(FINAL[state], after, false), limit.items, false)
    for i = 1, #found, 2 do
        local id = found[i]
        local set = redis.call('HGET', key.state .. id, field.kept_in)
        if set then
            redis.call('ZREM', key.kept .. set, id)
            redis.call('HDEL', key.state .. id, field.kept_in)
        end
        justEnded[#justEnded + 1] = { id, state, tonumber(found[i + 1]) }
    end
    if #found == 2 * limit.items then
        redis.call('HSET', itsKey, field.replacing.order, found[#found], field.replacing.id, found[#found - 1])
    elseif state < ST_CANCELLED then
        redis.call('DEL', itsKey)
        redis.call('HSET', itsKey, field.replacing.state, state + 1)
    else
        redis.call('DEL', itsKey)
        return false
    end
    return true
end

-- Removes statistics of days more than limit.stats_days ago, and the oldest ones if there are more than limit.stats_rows.
function Stats.purge()
    local day = math.floor(now / Stats.day_ms)
    local members = redis.call('ZRANGEBYSCORE', key.stats, '-inf', day - limit.stats_days, 'LIMIT', 0, limit.items)
    local excess = redis.call('ZCARD', key.stats) - limit.stats_rows
    if not members[1] and excess > 0 then
        members = redis.call('ZRANGE', key.stats, 0, math.min(excess, limit.items) - 1)
    end
    for _, member in ipairs(members) do
        redis.call('UNLINK', key.day_stats .. member)
        redis.call('ZREM', key.stats, member)
    end
    return #members == limit.items
end

-- Removes groups without a failure for limit.failure_groups_ms.
function Failures.purge()
    local old = redis.call('ZRANGEBYSCORE', key.failure_groups, '-inf', now - limit.failure_groups_ms, 'LIMIT', 0, limit.items)
    Failures.drop(old)
    return #old == limit.items
end
