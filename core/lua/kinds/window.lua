-- Kind window: jobs start only while a window is open. Only C++ knows time zones, so it stores the next openings and closings in turn.
-- include bucket

-- Whether the window is open, and when it closes or opens.
local function openNow(bd)
    local next_ = 1
    while bd[next_] and bd[next_] <= now do
        next_ = next_ + 1
    end
    return next_ % 2 == 0, bd[next_]
end

-- Whether the window closes at that time and cancels what still runs then.
local function closesAt(b, at)
    local bd = param(b, field.constraints.boundaries)
    for i = 2, #bd, 2 do
        if bd[i] == at then
            return param(b, field.constraints.cancels)
        end
    end
    return false
end

-- Notes that a running job is to be cancelled at the first closing after `since` (nil: after now).
local function noteClosing(b, id, since)
    local bd, i = param(b, field.constraints.boundaries), 2
    while bd[i] and bd[i] <= (since or now) do
        i = i + 2
    end
    if bd[i] and param(b, field.constraints.cancels) then
        redis.call('ZADD', key.closing, bd[i], id .. b.c)
    end
end

-- The window was changed at `since`. A job that started after that had the new closing noted at its start.
local function followClosing(b, id, since)
    noteClosing(b, id, math.max(since, tonumber(redis.call('HGET', key.state .. id, field.started) or 0)))
end

-- Notes the new closing for all jobs that run under a bucket; the sweep does this if they are many (pieces/follow.lua).
local function closingChanged(b, since)
    if redis.call('ZCARD', key.bucket_running .. b.id) > limit.items then
        redis.call('RPUSH', key.following, 'b' .. b.id .. '|0|' .. since)
        return
    end
    for _, id in ipairs(redis.call('ZRANGE', key.bucket_running .. b.id, 0, -1)) do
        followClosing(b, id, since)
    end
end

Kinds.window = {
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
