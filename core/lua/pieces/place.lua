-- Where a job that has not ended stands, and how it comes there and away. What is special of it has a letter each in field.special.
-- include lanes
-- include admission

local UNIQUE, THEN, GROUP, WINDOWS, EXPIRES = 'u', 't', 'g', 'w', 'e'

local function special(s, letter)
    return s.special and string.find(s.special, letter, 1, true) ~= nil
end

-- Windows are kept as the next openings and closings in turn (C++ knows zones): limit.window_boundaries of them and, where they were open,
-- an opening before; fewer only where they stay open. Returns whether they are open and until when, or when they open. Past the last that
-- is stored nobody knows: the job waits for its time and is looked at again. The master is asked for more shortly before they are needed.
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

-- A job that waits for nothing but its time: ready, or scheduled until `due`. `fields` of its state are set along.
-- Returns its state and when it will be ready (0: it is).
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

-- Takes a job that is not final out of where it stands. `how` and `after_ms` tell the buckets of one that runs what ended it.
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

-- Something that happened and is no attempt's end: what, when, who, attempt, a MessagePack map ('' for none).
local function tell(id, what, actor, attempt, details)
    local list = key.history .. id
    redis.call('RPUSH', list, cmsgpack.pack({ what, now, actor, tonumber(attempt or 0), details }))
    redis.call('LTRIM', list, -limit.attempts_kept, -1)
end
