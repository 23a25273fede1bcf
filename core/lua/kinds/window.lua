-- Jobs start while a window is open. C++ knows zones and stores the next moments at which it changes: openings and closings in turn.
-- include bucket

local function openNow(bd)
    local next_ = 1
    while bd[next_] and bd[next_] <= now do
        next_ = next_ + 1
    end
    return next_ % 2 == 0, bd[next_]
end

-- Whether the window closes at that very time, and told its jobs to stop then.
local function closesAt(b, at)
    local bd = param(b, field.constraints.boundaries)
    for i = 2, #bd, 2 do
        if bd[i] == at then
            return param(b, field.constraints.cancels)
        end
    end
    return false
end

-- `since`: the first closing after that time; nothing: after now.
local function noteClosing(b, id, since)
    local bd, i = param(b, field.constraints.boundaries), 2
    while bd[i] and bd[i] <= (since or now) do
        i = i + 2
    end
    if bd[i] and param(b, field.constraints.cancels) then
        redis.call('ZADD', key.closing, bd[i], id .. b.c)
    end
end

-- What started since then has a closing that it heard of already.
local function followClosing(b, id, since)
    noteClosing(b, id, math.max(since, tonumber(redis.call('HGET', key.state .. id, field.started) or 0)))
end

-- What runs under a bucket hears of another closing.
local function closingChanged(b, since)
    if redis.call('ZCARD', key.bucket_running .. b.id) > limit.items then
        redis.call('RPUSH', key.following, 'b' .. b.id .. '|0|' .. since)
        return
    end
    for _, id in ipairs(redis.call('ZRANGE', key.bucket_running .. b.id, 0, -1)) do
        followClosing(b, id, since)
    end
end

kinds.window = {
    admits = function(b)
        return openNow(param(b, field.constraints.boundaries))
    end,
    charge = function(b, _, id)
        noteClosing(b, id)
    end,
    uncharge = function(b, _, id)
        redis.call('ZREM', key.closing, id .. b.c)
    end,
    changed = function(number, con)
        if con.cancels then
            forBuckets(number, function(b)
                closingChanged(b, now)
            end)
        end
    end,
    follows = function(con)
        return con.cancels
    end,
    follow = closingChanged,
    followRunning = followClosing,
}
