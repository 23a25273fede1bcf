-- The kind that counts starts in time, by one of three algorithms: when a start is paid for, what a period had, what a fixed window had.

-- The cost of the starts within the period that ends now. Older ones are forgotten at the next start.
local function slide(b)
    local used = b.f.ss or 0
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', P .. 'bs:' .. b.id, '-inf', now - param(b, 'p'))) do
        used = used - tonumber(string.match(member, '%d+$'))
    end
    return used
end

local algorithms = {}

-- When all that started is paid for. After the step was changed no more is owed than if the latest start had used the whole burst at the
-- new step: a limit that is raised is in force at once.
local function paidAt(b, step)
    local at = b.f.tat or 0
    if b.f.st and b.f.st ~= step and b.f.ta then
        return math.min(at, b.f.ta + math.max(param(b, 'b'), b.f.tc) * step)
    end
    return at
end

algorithms.gcra = {
    admits = function(b, cost)
        local step = param(b, 'p') / param(b, 'l')
        local opens = math.ceil(paidAt(b, step) - math.max(0, param(b, 'b') - cost) * step - 0.01) -- times are rounded to 1 µs
        return opens <= now, opens
    end,
    charge = function(b, cost)
        local step = param(b, 'p') / param(b, 'l')
        local paid = paidAt(b, step)
        if b.f.st ~= step then
            set(b, 'sa', b.f.st and now or 0)
            set(b, 'st', step)
        end
        set(b, 'ta', now)
        set(b, 'tc', cost)
        set(b, 'tat', string.format('%.3f', math.max(paid, now) + cost * step))
        b.f.tat = tonumber(b.f.tat)
    end,
    refund = function(b, cost, _, startedAt)
        local step = param(b, 'p') / param(b, 'l')
        if b.f.st == step and startedAt > b.f.sa then -- what it took before an edit was another time
            set(b, 'tat', string.format('%.3f', b.f.tat - cost * step))
            b.f.tat = tonumber(b.f.tat)
        end
    end,
    idle = function(b)
        return b.f.tat
    end,
}

algorithms.sliding = {
    admits = function(b, cost)
        local used = slide(b)
        local excess = used + cost - param(b, 'l')
        if excess <= 0 or used == 0 then
            return true
        end
        local from = '(' .. now - param(b, 'p')
        local oldest = redis.call('ZRANGEBYSCORE', P .. 'bs:' .. b.id, from, '+inf', 'WITHSCORES', 'LIMIT', 0, 64)
        local opens
        for i = 1, #oldest, 2 do
            opens = tonumber(oldest[i + 1]) + param(b, 'p')
            excess = excess - tonumber(string.match(oldest[i], '%d+$'))
            if excess <= 0 then
                break
            end
        end
        return false, opens
    end,
    charge = function(b, cost, _, token)
        local key, used = P .. 'bs:' .. b.id, slide(b)
        redis.call('ZREMRANGEBYSCORE', key, '-inf', now - param(b, 'p'))
        redis.call('ZADD', key, now, token .. '|' .. cost)
        set(b, 'ss', used + cost)
    end,
    refund = function(b, cost, token)
        if redis.call('ZREM', P .. 'bs:' .. b.id, token .. '|' .. cost) == 1 then
            add(b, 'ss', -cost)
        end
    end,
    idle = function(b)
        local last = redis.call('ZRANGE', P .. 'bs:' .. b.id, -1, -1, 'WITHSCORES')
        return last[2] and tonumber(last[2]) + param(b, 'p')
    end,
}

-- The aligned window that holds now: its start and its end. Past the last boundary that is stored nothing starts.
local function fixedWindow(b)
    local bd, period = param(b, 'bd'), param(b, 'p')
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

-- When windows became longer, what was counted in the last of the shorter ones counts on.
local function fixedUsed(b, start)
    return b.f.fs and b.f.fs >= start and b.f.fn or 0
end

algorithms.fixed = {
    admits = function(b, cost)
        local start, end_ = fixedWindow(b)
        if not start then
            return false, end_
        elseif b.f.fs and b.f.fs > now then
            return false, b.f.fs -- the clock went back
        end
        local used = fixedUsed(b, start)
        return used == 0 or used + cost <= param(b, 'l'), end_
    end,
    charge = function(b, cost)
        local start = fixedWindow(b) or now
        if not b.f.fs or b.f.fs < start then
            set(b, 'fs', start)
            set(b, 'fn', 0)
        end
        add(b, 'fn', cost)
    end,
    refund = function(b, cost, _, startedAt)
        if b.f.fs and startedAt >= b.f.fs then
            add(b, 'fn', -cost)
        end
    end,
    idle = function(b)
        local start, end_ = fixedWindow(b)
        return start and fixedUsed(b, start) > 0 and end_ or b.f.fs
    end,
}

kinds.rate = {
    starts = true,
    admits = function(b, cost)
        if param(b, 'l') <= 0 then
            return false
        end
        return algorithms[b.con.a].admits(b, cost)
    end,
    charge = function(b, cost, id, token)
        if param(b, 'l') > 0 then
            algorithms[b.con.a].charge(b, cost, id, token)
        else
            redis.call('HSET', P .. 's:' .. id, 'rc', 1) -- it took nothing, and has nothing to give back
        end
    end,
    uncharge = function(b, cost, _, how, _, token, startedAt)
        if how == 'u' and param(b, 'l') > 0 then
            algorithms[b.con.a].refund(b, cost, token, startedAt)
        end
    end,
    idle = function(b)
        return algorithms[b.con.a].idle(b)
    end,
}
