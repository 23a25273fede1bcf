-- The places of a job that has not ended: each state has a sorted set or a lane, which the job enters and leaves here. field.special has a
-- letter for each special option of a job.
-- include lanes
-- include admission

local UNIQUE, THEN, GROUP, WINDOWS, EXPIRES = 'u', 't', 'g', 'w', 'e'

local function special(s, letter)
    return s.special and string.find(s.special, letter, 1, true) ~= nil
end

-- A job's windows are stored as its next openings and closings in turn, because only C++ knows time zones. There are
-- limit.window_boundaries of them, after one past opening if the window was open; there are fewer only if the window then stays open for
-- ever. Shortly before they run out, the master is asked for more. After the last of them it is not known whether the window is open: then
-- the job waits for a time and is looked at again. Returns whether the window is open at `at`, and when it closes or opens.
local WANTED_LEFT = 4

local function windowAt(id, at)
    local boundaries = cmsgpack.unpack(redis.call('GET', key.windows .. id) or '\144')
    local next_ = 1
    while boundaries[next_] and boundaries[next_] <= at do
        next_ = next_ + 1
    end
    local left, open = #boundaries - next_ + 1, next_ % 2 == 0
    local endless = open and left == 0 and #boundaries < limit.window_boundaries
    if left < WANTED_LEFT and not endless then
        redis.call('ZADD', key.windows_wanted, 'LT', math.max(now, at - limit.window_ahead_ms), id)
    end
    if left == 0 and not endless then
        return false, at > now and at or at + limit.window_wait_ms
    end
    return open, boundaries[next_]
end

-- Makes a job ready, or scheduled if it is due later or its window is closed. Further arguments are fields of its state to set.
-- Returns its state and when it will be ready (0: it is ready).
local function place(id, h, s, due, ...)
    if special(s, WINDOWS) then
        local open, at = windowAt(id, math.max(due, now))
        if not open then
            due = at
        elseif due <= now and at then
            redis.call('ZADD', key.window_ends, at, id)
        end
    end
    if due > now then
        redis.call('HSET', key.state .. id, field.state, ST_SCHEDULED, field.run_at, due, ...)
        redis.call('ZADD', key.scheduled, due, id)
        return ST_SCHEDULED, due
    end
    redis.call('HSET', key.state .. id, field.state, ST_READY, field.ready_since, now, ...)
    laneAdd(h, id, s)
    return ST_READY, 0
end

-- Takes a job that is not final out of its place. For a running or awaiting job, `how` and `after_ms` say how its attempt ended
-- (uncharge() in admission.lua).
local function leavePlace(id, s, h, how, after_ms)
    if s.state == ST_SCHEDULED then
        redis.call('ZREM', key.scheduled, id)
    elseif s.state == ST_READY then
        laneRemove(h, s, id)
        if special(s, WINDOWS) then
            redis.call('ZREM', key.window_ends, id)
        end
    elseif s.state == ST_DEPENDS then
        redis.call('ZREM', key.depends, id)
    elseif s.state == ST_RUNNING then
        redis.call('ZREM', key.running, id)
        uncharge(s, id, how or 'r', after_ms)
    elseif s.state == ST_AWAITING then
        redis.call('ZREM', key.awaiting, id)
        uncharge(s, id, how or 'r', after_ms)
        redis.call('DEL', key.message .. redis.call('HGET', key.state .. id, field.message_key))
    end
end

-- Adds an event that is not the end of an attempt to a job's history: what, when, who (and why, behind a line end), attempt, details (a
-- MessagePack map, '' for none).
local function tell(id, what, actor, attempt, details)
    local list = key.history .. id
    redis.call('RPUSH', list, cmsgpack.pack({ what, now, actor, tonumber(attempt or 0), details }))
    redis.call('LTRIM', list, -limit.attempts_kept, -1)
end
