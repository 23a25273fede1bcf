-- Kind rate: a limit on starts per period, by one of three Algorithms. gcra keeps the time at which all starts are paid for, sliding keeps
-- the starts of the last period, and fixed counts the starts of an aligned window. gcra and fixed also keep what was used in the present
-- window and before it, for another algorithm that goes on from there.
-- include bucket

local Rate = { gcra = 1, sliding = 2, fixed = 3 } -- what the algorithms are called in a bucket

-- The cost of the starts within the period that ends now. Older starts are still stored; the next start removes them.
local function slide(b)
    local used = b.f.recent or 0
    if b.carried then -- the starts of another algorithm, which are not stored yet
        used = 0
        for _, start in ipairs(b.carried) do
            used = used + (start[1] > now - param(b, field.constraints.period) and start[2] or 0)
        end
        return used
    end
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key.rate_starts .. b.id, '-inf', now - param(b, field.constraints.period))) do
        used = used - tonumber(string.match(member, '%d+$'))
    end
    return used
end

-- Notes a start for another algorithm. When a new window begins at `start`, what was used in the last one becomes the sum of what came
-- before, which loses nothing of the last period, also where windows are shorter.
function Rate.noteStart(b, cost, start)
    if not b.f.window_start or b.f.window_start < start then
        local used = b.f.window_used or 0
        if used > 0 then
            local before = (b.f.earlier_at or 0) > now - param(b, field.constraints.period) and b.f.earlier_used or 0
            set(b, field.bucket.earlier_at, b.f.last_start or b.f.window_start)
            set(b, field.bucket.earlier_used, before + used)
        end
        set(b, field.bucket.window_start, start)
        set(b, field.bucket.window_used, 0)
    end
    add(b, field.bucket.window_used, cost)
    set(b, field.bucket.last_start, now)
end

local Algorithms = {}

-- Takes back a start of the present window.
function Rate.unnoteStart(b, cost, startedAt)
    if b.f.window_start and startedAt >= b.f.window_start then
        add(b, field.bucket.window_used, -cost)
    end
end

-- When the starts of a log are paid for, each at a step of time for each unit.
local function paidBy(log, step)
    local paid = 0
    for _, one in ipairs(log) do
        paid = math.max(paid, one[1]) + one[2] * step
    end
    return paid
end

-- When all starts are paid for. After an edit of the step, what has started counts by the new one.
-- A shorter step: the latest start owes the whole burst, or what it owed before. So a raised limit has its effect at once.
-- A longer step: no more than limit + burst may start in any period, counted over the edit. Two times are sure to do for that, and the
-- earlier one holds: the one that takes all starts for as close together as the old step permits, and the one that the sums give.
local function paidAt(b, step)
    local at, old, last = b.f.paid_until or 0, b.f.step, b.f.last_start
    if not old or old == step or not last then
        return at
    end
    local burst = param(b, field.constraints.burst)
    if step < old then
        return math.min(at, last + math.max(burst, (at - last) / old) * step)
    end
    local closest = at - old + (1 - old / step) * (param(b, field.constraints.period) + (burst - 1) * step)
    return math.max(at, math.min(closest, paidBy(Rate.logOf(b, Rate.gcra), step) - step))
end

Algorithms.gcra = {
    admits = function(b, cost)
        local step = param(b, field.constraints.period) / param(b, field.constraints.limit)
        -- The stored time is rounded to 1 µs; 0.01 ms keeps that from delaying a start by a millisecond.
        local opens = math.ceil(paidAt(b, step) - math.max(0, param(b, field.constraints.burst) - cost) * step - 0.01)
        return opens <= now, opens
    end,
    charge = function(b, cost)
        local step = param(b, field.constraints.period) / param(b, field.constraints.limit)
        local paid = paidAt(b, step)
        if b.f.step ~= step then
            set(b, field.bucket.step_since, b.f.step and now or 0)
            set(b, field.bucket.step, step)
        end
        local period = param(b, field.constraints.period)
        Rate.noteStart(b, cost, math.floor(now / period) * period)
        set(b, field.bucket.last_cost, cost)
        set(b, field.bucket.paid_until, string.format('%.3f', math.max(paid, now) + cost * step))
        b.f.paid_until = tonumber(b.f.paid_until)
    end,
    refund = function(b, cost, _, startedAt)
        local step = param(b, field.constraints.period) / param(b, field.constraints.limit)
        if b.f.step == step and startedAt > b.f.step_since then -- a start before an edit took another amount of time
            set(b, field.bucket.paid_until, string.format('%.3f', b.f.paid_until - cost * step))
            b.f.paid_until = tonumber(b.f.paid_until)
            Rate.unnoteStart(b, cost, startedAt)
        end
    end,
    idle = function(b)
        local period, rate = param(b, field.constraints.period), param(b, field.constraints.limit)
        local last = b.f.last_start and b.f.last_start + period or 0
        return b.f.paid_until and math.max(b.f.paid_until, last, rate > 0 and paidAt(b, period / rate) or 0)
    end,
}

-- When the last job started, and whether none of this cost could have started with it.
function Algorithms.gcra.shut(b, cost)
    local step = param(b, field.constraints.period) / param(b, field.constraints.limit)
    local last = b.f.last_start or 0
    return last, paidAt(b, step) - math.max(0, param(b, field.constraints.burst) - cost) * step > last
end

-- The first starts within the period that ends now, oldest first: {when, cost}.
function Rate.oldestStarts(b)
    local from, starts = now - param(b, field.constraints.period), {}
    if b.carried then
        for _, start in ipairs(b.carried) do
            starts[#starts + 1] = start[1] > from and start or nil
        end
        return starts
    end
    local found = redis.call('ZRANGEBYSCORE', key.rate_starts .. b.id, '(' .. from, '+inf', 'WITHSCORES', 'LIMIT', 0, 64)
    for i = 1, #found, 2 do
        starts[#starts + 1] = { tonumber(found[i + 1]), tonumber(string.match(found[i], '%d+$')) }
    end
    return starts
end

Algorithms.sliding = {
    admits = function(b, cost)
        local used = slide(b)
        local excess = used + cost - param(b, field.constraints.limit)
        if excess <= 0 or used == 0 then
            return true
        end
        local opens
        for _, start in ipairs(Rate.oldestStarts(b)) do
            opens = start[1] + param(b, field.constraints.period)
            excess = excess - start[2]
            if excess <= 0 then
                break
            end
        end
        return false, opens
    end,
    charge = function(b, cost, _, token)
        local itsKey, used = key.rate_starts .. b.id, slide(b)
        redis.call('ZREMRANGEBYSCORE', itsKey, '-inf', now - param(b, field.constraints.period))
        redis.call('ZADD', itsKey, now, token .. '|' .. cost)
        set(b, field.bucket.recent, used + cost)
    end,
    refund = function(b, cost, token)
        if redis.call('ZREM', key.rate_starts .. b.id, token .. '|' .. cost) == 1 then
            add(b, field.bucket.recent, -cost)
        end
    end,
    idle = function(b)
        local last = redis.call('ZRANGE', key.rate_starts .. b.id, -1, -1, 'WITHSCORES')
        local at = b.carried and b.carried[1] and b.carried[#b.carried][1] or tonumber(last[2])
        return at and at + param(b, field.constraints.period)
    end,
}

function Algorithms.sliding.shut(b, cost)
    local last = redis.call('ZRANGE', key.rate_starts .. b.id, -1, -1, 'WITHSCORES')
    return tonumber(last[2]) or 0, (b.f.recent or 0) + cost > param(b, field.constraints.limit)
end

-- The start and the end of the present window. Before the first and after the last stored boundary there is none, and nothing starts.
local function fixedWindow(b)
    local bd, period = param(b, field.constraints.boundaries), param(b, field.constraints.period)
    if not bd then
        local start = math.floor(now / period) * period
        return start, start + period
    end
    local i = 1
    while bd[i] and bd[i] <= now do
        i = i + 1
    end
    return bd[i] and bd[i - 1], bd[i]
end

-- What was used in the present window. If an edit made windows longer, the count of the last shorter window stays.
local function fixedUsed(b, start)
    return b.f.window_start and b.f.window_start >= start and b.f.window_used or 0
end

Algorithms.fixed = {
    admits = function(b, cost)
        local start, end_ = fixedWindow(b)
        if not start then
            return false, end_
        elseif b.f.window_start and b.f.window_start > now then
            return false, b.f.window_start -- the clock went back
        end
        local used = fixedUsed(b, start)
        return used == 0 or used + cost <= param(b, field.constraints.limit), end_
    end,
    charge = function(b, cost)
        Rate.noteStart(b, cost, fixedWindow(b) or now)
    end,
    refund = function(b, cost, _, startedAt)
        Rate.unnoteStart(b, cost, startedAt)
    end,
    idle = function(b)
        local start, end_ = fixedWindow(b)
        local last = b.f.last_start and b.f.last_start + param(b, field.constraints.period)
        -- carryOver() begins a window at every look; one in which nothing was used keeps no bucket
        local began = (b.f.window_used or 0) > 0 and b.f.window_start or 0
        return math.max(start and fixedUsed(b, start) > 0 and end_ or began, last or 0)
    end,
}

function Algorithms.fixed.shut(b, cost)
    return b.f.last_start or 0, (b.f.window_used or 0) + cost > param(b, field.constraints.limit)
end

-- What a bucket knows of its starts under an algorithm, oldest first: {when, cost}. Of gcra and fixed these are sums, at the time of the
-- last start in them. A bucket of version 0.1 knows less; then it is the most that it may have been.
function Rate.logOf(b, algorithm)
    local log = {}
    if algorithm == Rate.sliding then
        local starts = redis.call('ZRANGE', key.rate_starts .. b.id, -limit.rate_starts, -1, 'WITHSCORES')
        for i = 1, #starts, 2 do
            log[#log + 1] = { tonumber(starts[i + 1]), tonumber(string.match(starts[i], '%d+$')) }
        end
        return log
    end
    if (b.f.earlier_used or 0) > 0 then
        log[1] = { b.f.earlier_at, b.f.earlier_used }
    end
    if (b.f.window_used or 0) > 0 then
        log[#log + 1] = { b.f.last_start or b.f.window_start + param(b, field.constraints.period), b.f.window_used }
    elseif algorithm == Rate.gcra and not b.f.window_start and b.f.last_start then
        log[1] = { b.f.last_start, math.max(b.f.last_cost, math.ceil((b.f.paid_until - b.f.last_start) / b.f.step)) }
    end
    return log
end

-- Puts a log into the sums that gcra and fixed keep: in the window that began at `start`, or before it.
function Rate.sumUp(b, log, start)
    b.f.window_start, b.f.window_used, b.f.last_start, b.f.earlier_at, b.f.earlier_used = start, 0, nil, nil, nil
    for _, one in ipairs(log) do
        if one[1] >= start then
            b.f.window_used = b.f.window_used + one[2]
        elseif one[1] > now - param(b, field.constraints.period) then
            b.f.earlier_at, b.f.earlier_used = one[1], (b.f.earlier_used or 0) + one[2]
        end
        b.f.last_start = one[1]
    end
end

-- When the constraint has another algorithm than the bucket: what the new one would know if it had counted these starts. This stays in
-- memory until the next start.
function Rate.carryOver(b)
    local wanted = Rate[b.con.algorithm]
    local had = b.f.algorithm or (b.f.recent or 0) > 0 and Rate.sliding or b.f.window_start and Rate.fixed
        or b.f.paid_until and Rate.gcra or wanted
    if had == wanted or b.carried then
        return
    end
    local log, period = Rate.logOf(b, had), param(b, field.constraints.period)
    b.carried = log
    if wanted == Rate.fixed then
        Rate.sumUp(b, log, fixedWindow(b) or now)
    elseif wanted == Rate.gcra then
        Rate.sumUp(b, log, math.floor(now / period) * period)
        local step = period / param(b, field.constraints.limit)
        b.f.last_cost = log[1] and log[#log][2]
        b.f.paid_until, b.f.step, b.f.step_since = log[1] and paidBy(log, step), step, now
    end
end

-- The fields of gcra and fixed; those that a bucket does not have any more are stored as 0.
local SUMS = { field.bucket.window_start, field.bucket.window_used, field.bucket.earlier_at, field.bucket.earlier_used,
    field.bucket.last_start, field.bucket.last_cost, field.bucket.paid_until, field.bucket.step, field.bucket.step_since }

-- Stores what was carried over, and whose algorithm it is.
function Rate.keepCarried(b)
    local wanted = Rate[b.con.algorithm]
    if b.carried then
        redis.call('DEL', key.rate_starts .. b.id)
        set(b, field.bucket.recent, 0)
        for i, one in ipairs(wanted == Rate.sliding and b.carried or {}) do
            redis.call('ZADD', key.rate_starts .. b.id, one[1], 'carried' .. i .. '|' .. one[2])
            add(b, field.bucket.recent, one[2])
        end
        for _, stored in ipairs(wanted ~= Rate.sliding and SUMS or {}) do
            set(b, stored, b.f[stored] or 0)
        end
        b.carried = nil
    end
    if b.f.algorithm ~= wanted then
        set(b, field.bucket.algorithm, wanted)
    end
end

Kinds.rate = {
    starts = true,
    keeps = { bare.rate_starts },
    admits = function(b, cost)
        if param(b, field.constraints.limit) <= 0 then
            return false
        end
        Rate.carryOver(b)
        return Algorithms[b.con.algorithm].admits(b, cost)
    end,
    -- The last start shut it, not long ago, and more wait than it starts in that time.
    paces = function(b, cost)
        local rate, period = param(b, field.constraints.limit), param(b, field.constraints.period)
        if rate <= 0 or b.carried or (b.f.ready or 0) <= math.max(1, rate / cost * limit.paces_ms / period) then
            return false
        end
        local last, shut = Algorithms[b.con.algorithm].shut(b, cost)
        return shut and last + limit.paces_ms + cost * period / rate > now
    end,
    charge = function(b, cost, id, token)
        if param(b, field.constraints.limit) > 0 then
            Rate.carryOver(b)
            Rate.keepCarried(b)
            Algorithms[b.con.algorithm].charge(b, cost, id, token)
        else
            redis.call('HSET', key.state .. id, field.uncertain, 1) -- it took nothing, so nothing is given back
        end
    end,
    uncharge = function(b, cost, _, how, _, token, startedAt)
        if how == 'u' and param(b, field.constraints.limit) > 0 then
            Rate.carryOver(b)
            if not b.carried then -- else another algorithm counted it
                Algorithms[b.con.algorithm].refund(b, cost, token, startedAt)
            end
        end
    end,
    idle = function(b)
        if param(b, field.constraints.limit) > 0 then
            Rate.carryOver(b)
        end
        return Algorithms[b.con.algorithm].idle(b)
    end,
}
