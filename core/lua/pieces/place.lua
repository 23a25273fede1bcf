-- Where a job that has not ended stands, and how it comes there and away. What `s:<id>` holds of it:
--   st state · ex what is special of the job, a letter each: u unique, t then, g group, w windows, e expires · ra run_at ·
--   xp expires at · uq unique key, un freed at (s start, f end), ua the job before it, uo it
--   does not depend on that one otherwise · gr group's hash · dn dependencies left, df what
--   becomes of it when one fails (f, c, r) · mk message key's hash, hl the lease that was handed off last
local UNIQUE, THEN, GROUP, WINDOWS, EXPIRES = 'u', 't', 'g', 'w', 'e'

local function special(s, letter)
    return s.ex and string.find(s.ex, letter, 1, true) ~= nil
end

-- Windows are kept as the next openings and closings in turn (C++ knows zones): limit.window_boundaries of them and, where they were open,
-- an opening before; fewer only where they stay open. Returns whether they are open and until when, or when they open. Past the last that
-- is stored nobody knows: the job waits for its time and is looked at again. The master is asked for more shortly before they are needed.
local WANTED_LEFT = 4

local function windowAt(id, at)
    local boundaries = cmsgpack.unpack(redis.call('GET', P .. 'w:' .. id) or '\144')
    local next_ = 1
    while boundaries[next_] and boundaries[next_] <= at do
        next_ = next_ + 1
    end
    local left, open = #boundaries - next_ + 1, next_ % 2 == 0
    local endless = open and left == 0 and #boundaries < limit.window_boundaries
    if left < WANTED_LEFT and not endless then
        redis.call('ZADD', P .. 'wwant', 'LT', math.max(now, at - limit.window_ahead_ms), id)
    end
    if left == 0 and not endless then
        return false, at > now and at or at + limit.window_wait_ms
    end
    return open, boundaries[next_]
end

-- A job that waits for nothing but its time: ready, or scheduled until `due`. `fields` of s:<id> are set along.
-- Returns its state and when it will be ready (0: it is).
local function place(id, h, s, due, ...)
    if special(s, WINDOWS) then
        local open, at = windowAt(id, math.max(due, now))
        if not open then
            due = at
        elseif due <= now and at then
            redis.call('ZADD', P .. 'wclose', at, id)
        end
    end
    if due > now then
        redis.call('HSET', P .. 's:' .. id, 'st', ST_SCHEDULED, 'ra', due, ...)
        redis.call('ZADD', SCHEDULED, due, id)
        return ST_SCHEDULED, due
    end
    redis.call('HSET', P .. 's:' .. id, 'st', ST_READY, 'rt', now, ...)
    laneAdd(h, id, s)
    return ST_READY, 0
end

-- Takes a job that is not final out of where it stands. `how` and `after_ms` tell the buckets of one that runs what ended it.
local function leavePlace(id, s, h, how, after_ms)
    if s.st == ST_SCHEDULED then
        redis.call('ZREM', SCHEDULED, id)
    elseif s.st == ST_READY then
        laneRemove(h, s, id)
        if special(s, WINDOWS) then
            redis.call('ZREM', P .. 'wclose', id)
        end
    elseif s.st == ST_DEPENDS then
        redis.call('ZREM', DEPENDS, id)
    elseif s.st == ST_RUNNING then
        redis.call('ZREM', RUNNING, id)
        uncharge(s, id, how or 'r', after_ms)
    elseif s.st == ST_AWAITING then
        redis.call('ZREM', AWAITING, id)
        uncharge(s, id, how or 'r', after_ms)
        redis.call('DEL', P .. 'msg:' .. redis.call('HGET', P .. 's:' .. id, 'mk'))
    end
end

-- Something that happened and is no attempt's end: what, when, who, attempt, a MessagePack map ('' for none).
local function tell(id, what, actor, attempt, details)
    local list = P .. 'h:' .. id
    redis.call('RPUSH', list, cmsgpack.pack({ what, now, actor, tonumber(attempt or 0), details }))
    redis.call('LTRIM', list, -limit.attempts_kept, -1)
end
