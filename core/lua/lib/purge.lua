-- What is kept long enough goes: at most limit.items of each kind in a call. Each function returns whether there may be more.

-- Jobs that ended long enough ago or are too many, and what lay in the trash. Returns first how many went.
function Retention.purge()
    Retention.flush()
    local settings = Retention.settings()
    local ids = redis.call('ZRANGEBYSCORE', P .. 'purge', '-inf', now, 'LIMIT', 0, limit.items)
    local free, tracked = Retention.untracked(ids)
    for _, id in ipairs(tracked) do
        redis.call('ZADD', P .. 'purge', now + limit.tracked_put_off_ms, id)
    end
    Retention.remove(free)
    local gone, more = #free, #ids == limit.items
    for state = 6, 8 do
        local n = Retention.shrink(FINAL[state], settings.counts[state])
        gone, more = gone + n, more or n == limit.items
    end
    local trash = redis.call('ZRANGEBYSCORE', P .. 'trash', '-inf', now - limit.trash_ms, 'LIMIT', 0, limit.items)
    Retention.remove(trash)
    return gone + #trash, more or #trash == limit.items
end

-- Statistics of days that are over limit.stats_days ago, and the oldest while there are more than limit.stats_rows.
function Stats.purge()
    local day = math.floor(now / Stats.day_ms)
    local members = redis.call('ZRANGEBYSCORE', P .. 'stats', '-inf', day - limit.stats_days, 'LIMIT', 0, limit.items)
    local excess = redis.call('ZCARD', P .. 'stats') - limit.stats_rows
    if not members[1] and excess > 0 then
        members = redis.call('ZRANGE', P .. 'stats', 0, math.min(excess, limit.items) - 1)
    end
    for _, member in ipairs(members) do
        redis.call('UNLINK', P .. 'st:' .. member)
        redis.call('ZREM', P .. 'stats', member)
    end
    return #members == limit.items
end

-- Groups that have not been seen for limit.failure_groups_ms.
function Failures.purge()
    local old = redis.call('ZRANGEBYSCORE', P .. 'fgroups', '-inf', now - limit.failure_groups_ms, 'LIMIT', 0, limit.items)
    Failures.drop(old)
    return #old == limit.items
end
