-- Kind rate: a limit on starts per period, by one of three algorithms. gcra keeps the time at which all starts are paid for, sliding keeps
-- the starts of the last period, and fixed counts the starts of an aligned window.
-- include bucket

-- The cost of the starts within the period that ends now. Older starts are still stored; the next start removes them.
local function slide(b)
    local used = b.f.recent or 0
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key.rate_starts .. b.id, '-inf', now - param(b, field.constraints.period))) do
        used = used - tonumber(string.match(member, '%d+$'))
    end
    return used
end

local algorithms = {}

-- When all starts are paid for. A start costs a step of time for each unit. After an edit of the step, this is at most what it would be if
-- the latest start had used the whole burst at the new step, so a raised limit has its effect at once.
local function paidAt(b, step)
    local at = b.f.paid_until or 0
    if b.f.step and b.f.step ~= step and b.f.last_start then
        return math.min(at, b.f.last_start + math.max(param(b, field.constraints.burst), b.f.last_cost) * step)
    end
    return at
end

algorithms.gcra = {
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
        set(b, field.bucket.last_start, now)
        set(b, field.bucket.last_cost, cost)
        set(b, field.bucket.paid_until, string.format('%.3f', math.max(paid, now) + cost * step))
        b.f.paid_until = tonumber(b.f.paid_until)
    end,
    refund = function(b, cost, _, startedAt)
        local step = param(b, field.constraints.period) / param(b, field.constraints.limit)
        if b.f.step == step and startedAt > b.f.step_since then -- a start before an edit took another amount of time
            set(b, field.bucket.paid_until, string.format('%.3f', b.f.paid_until - cost * step))
            b.f.paid_until = tonumber(b.f.paid_until)
        end
    end,
    idle = function(b)
        return b.f.paid_until
    end,
}

algorithms.sliding = {
    admits = function(b, cost)
        local used = slide(b)
        local excess = used + cost - param(b, field.constraints.limit)
        if excess <= 0 or used == 0 then
            return true
        end
        local from = '(' .. now - param(b, field.constraints.period)
        local oldest = redis.call('ZRANGEBYSCORE', key.rate_starts .. b.id, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 64)
        local opens
        for i = 1, #oldest, 2 do
            opens = tonumber(oldest[i + 1]) + param(b, field.constraints.period)
            excess = excess - tonumber(string.match(oldest[i], '%d+$'))
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
        return last[2] and tonumber(last[2]) + param(b, field.constraints.period)
    end,
}

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

algorithms.fixed = {
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
        local start = fixedWindow(b) or now
        if not b.f.window_start or b.f.window_start < start then
            set(b, field.bucket.window_start, start)
            set(b, field.bucket.window_used, 0)
        end
        add(b, field.bucket.window_used, cost)
    end,
    refund = function(b, cost, _, startedAt)
        if b.f.window_start and startedAt >= b.f.window_start then
            add(b, field.bucket.window_used, -cost)
        end
    end,
    idle = function(b)
        local start, end_ = fixedWindow(b)
        return start and fixedUsed(b, start) > 0 and end_ or b.f.window_start
    end,
}

kinds.rate = {
    starts = true,
    keeps = { bare.rate_starts },
    admits = function(b, cost)
        if param(b, field.constraints.limit) <= 0 then
            return false
        end
        return algorithms[b.con.algorithm].admits(b, cost)
    end,
    charge = function(b, cost, id, token)
        if param(b, field.constraints.limit) > 0 then
            algorithms[b.con.algorithm].charge(b, cost, id, token)
        else
            redis.call('HSET', key.state .. id, field.uncertain, 1) -- it took nothing, so nothing is given back
        end
    end,
    uncharge = function(b, cost, _, how, _, token, startedAt)
        if how == 'u' and param(b, field.constraints.limit) > 0 then
            algorithms[b.con.algorithm].refund(b, cost, token, startedAt)
        end
    end,
    idle = function(b)
        return algorithms[b.con.algorithm].idle(b)
    end,
}
