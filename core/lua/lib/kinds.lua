-- The kinds of constraint. admits(b, cost): whether a job of this cost may start, and when it may if not; charge(b, cost, id, token);
-- uncharge(b, cost, id, how, after_ms, token); counted(b): its number of ready jobs changed; starts: it counts starts, not what runs;
-- idle(b): when a bucket without jobs may be forgotten.
local kinds = {}

-- Windows and fixed periods: C++ knows zones and stores the next moments at which they change. `bd` in turn openings and closings.
local function openNow(bd)
    local next_ = 1
    while bd[next_] and bd[next_] <= now do
        next_ = next_ + 1
    end
    return next_ % 2 == 0, bd[next_]
end

kinds.concurrency = {
    admits = function(b, cost)
        local most, used = param(b, 'l'), b.f.u or 0
        if most <= 0 then
            return false
        end
        -- A job that costs more than the limit runs alone.
        if used > 0 and used + cost > most then
            return false
        end
        -- Who has waited too long keeps the freed units for its own cost.
        if b.f.rs and b.con.ra and now - b.f.rs >= b.con.ra and b.f.rc ~= cost then
            return false
        end
        return true
    end,
}

kinds.pause = {
    admits = function(b)
        local ends = param(b, 't')
        if ends and ends <= now then
            return true
        end
        return false, ends
    end,
}

kinds.window = {
    admits = function(b)
        return openNow(b.con.bd)
    end,
}

kinds.cooldown = {
    admits = function(b)
        local ends = b.f.cu or 0
        if ends <= now then
            return true
        end
        return false, ends
    end,
    uncharge = function(b, _, _, how, after_ms)
        if how == 'f' and after_ms > 0 then
            set(b, 'cu', math.max(b.f.cu or 0, now + math.min(after_ms, param(b, 'mx'))))
        end
    end,
    idle = function(b)
        return b.f.cu
    end,
}

-- The cost of the starts within the period that ends now. Older ones are forgotten at the next start.
local function slide(b)
    local used = b.f.ss or 0
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', P .. 'bs:' .. b.id, '-inf', now - param(b, 'p'))) do
        used = used - tonumber(string.match(member, '%d+$'))
    end
    return used
end

local algorithms = {}

algorithms.gcra = {
    admits = function(b, cost)
        local step = param(b, 'p') / param(b, 'l')
        local opens = math.ceil((b.f.tat or 0) - math.max(0, param(b, 'b') - cost) * step - 0.01) -- times are rounded to 1 µs
        return opens <= now, opens
    end,
    charge = function(b, cost)
        set(b, 'tat', string.format('%.3f', math.max(b.f.tat or 0, now) + cost * param(b, 'p') / param(b, 'l')))
        b.f.tat = tonumber(b.f.tat)
    end,
    refund = function(b, cost)
        set(b, 'tat', string.format('%.3f', (b.f.tat or 0) - cost * param(b, 'p') / param(b, 'l')))
        b.f.tat = tonumber(b.f.tat)
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
    local bd = b.con.bd
    if not bd then
        local start = math.floor(now / param(b, 'p')) * param(b, 'p')
        return start, start + param(b, 'p')
    end
    local i = 1
    while bd[i] and bd[i] <= now do
        i = i + 1
    end
    return bd[i] and bd[i - 1], bd[i]
end

algorithms.fixed = {
    admits = function(b, cost)
        local start, end_ = fixedWindow(b)
        if not start then
            return false
        end
        local used = b.f.fs == start and b.f.fn or 0
        return used == 0 and param(b, 'l') > 0 or used + cost <= param(b, 'l'), end_
    end,
    charge = function(b, cost)
        local start = fixedWindow(b) or now
        if b.f.fs ~= start then
            set(b, 'fs', start)
            set(b, 'fn', 0)
        end
        add(b, 'fn', cost)
    end,
    refund = function(b, cost)
        if b.f.fs == fixedWindow(b) then
            add(b, 'fn', -cost)
        end
    end,
    idle = function(b)
        local _, end_ = fixedWindow(b)
        return end_
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
        end
    end,
    uncharge = function(b, cost, _, how, _, token)
        if how == 'u' and param(b, 'l') > 0 then
            algorithms[b.con.a].refund(b, cost, token)
        end
    end,
    idle = function(b)
        return algorithms[b.con.a].idle(b)
    end,
}

-- A share of a capacity for each key. cs:<constraint> hash: u cost of all running jobs · m what keys with a backlog lack of their minimum.
local function shareOf(b)
    local own = b.con.sh and b.con.sh[b.f.k] or b.con.df or {}
    local percent = own.pc and math.floor(b.con.cap * own.pc / 100)
    return own.mn or percent or 0, own.mx or (not b.con.bo and (percent or own.mn) or nil)
end

local function shareTotals(b)
    local t = redis.call('HMGET', P .. 'cs:' .. b.c, 'u', 'm')
    return tonumber(t[1] or 0), tonumber(t[2] or 0)
end

-- What the key lacks of its minimum while it has a backlog; kept in `um` and summed up for all keys.
local function shareLack(b)
    local least = shareOf(b)
    local lack = (b.f.n or 0) > 0 and math.max(0, least - (b.f.u or 0)) or 0
    if lack ~= (b.f.um or 0) then
        redis.call('HINCRBY', P .. 'cs:' .. b.c, 'm', lack - (b.f.um or 0))
        set(b, 'um', lack)
        reopening[b.c] = true
    end
end

kinds.share = {
    admits = function(b, cost)
        local used, least, most = b.f.u or 0, shareOf(b)
        local all, lacking = shareTotals(b)
        if most and (most <= 0 or used > 0 and used + cost > most) then
            return false
        end
        if all + cost > b.con.cap then
            return all == 0
        end
        if not b.con.bo or used + cost <= least then
            return true
        end
        return all + cost + lacking - (b.f.um or 0) <= b.con.cap
    end,
    charge = function(b, cost)
        redis.call('HINCRBY', P .. 'cs:' .. b.c, 'u', cost)
        shareLack(b)
    end,
    uncharge = function(b, cost)
        redis.call('HINCRBY', P .. 'cs:' .. b.c, 'u', -cost)
        shareLack(b)
        reopening[b.c] = true
    end,
    counted = shareLack,
}

-- Breaker: bs state (c closed, o open, h half-open) · bo open until · bn how often in a row · bb:<bucket> two rings of 60 slots, successes
-- and failures · bp:<bucket> the probes that are out · bh how many of them succeeded
local function breakerCounts(b)
    local slot = math.floor(now / (param(b, 'w') / 60))
    local words = {}
    for i = 0, 121 do
        words[3 * i + 1], words[3 * i + 2], words[3 * i + 3] = 'GET', 'u32', i * 32
    end
    local rings = redis.call('BITFIELD_RO', P .. 'bb:' .. b.id, unpack(words))
    local sums = { 0, 0 }
    for ring = 1, 2 do
        local newest = rings[61 * ring - 60]
        for s = math.max(slot, newest) - 59, newest do
            sums[ring] = sums[ring] + rings[61 * ring - 59 + s % 60]
        end
    end
    return sums[1], sums[2]
end

local function breakerOpen(b)
    local times = (b.f.bn or 0) + 1
    local long = math.min(param(b, 'of') * param(b, 'fa') ^ (times - 1), param(b, 'mo'))
    set(b, 'bs', 'o')
    set(b, 'bn', times)
    set(b, 'bo', now + math.floor(long))
    redis.call('DEL', P .. 'bb:' .. b.id, P .. 'bp:' .. b.id)
end

local function breakerClose(b)
    set(b, 'bs', 'c')
    set(b, 'bn', 0)
    redis.call('DEL', P .. 'bb:' .. b.id, P .. 'bp:' .. b.id)
end

local function breakerState(b)
    if b.f.bs == 'o' and b.f.bo <= now then
        return 'h'
    end
    return b.f.bs or 'c'
end

kinds.breaker = {
    starts = true,
    admits = function(b)
        local state = breakerState(b)
        if state == 'c' then
            return true
        elseif state == 'o' then
            return false, b.f.bo
        end
        return redis.call('SCARD', P .. 'bp:' .. b.id) + (b.f.bs == 'h' and b.f.bh or 0) < param(b, 'pr')
    end,
    charge = function(b, _, id)
        if breakerState(b) == 'h' then
            if b.f.bs ~= 'h' then
                set(b, 'bs', 'h')
                set(b, 'bh', 0)
            end
            redis.call('SADD', P .. 'bp:' .. b.id, id)
        end
    end,
    uncharge = function(b, _, id, how)
        local probe = b.f.bs == 'h' and redis.call('SREM', P .. 'bp:' .. b.id, id) == 1
        local bad = how == 'f' or how == 'e'
        if how ~= 's' and not bad then
            return
        elseif b.f.bs == 'h' then
            if probe and bad then
                breakerOpen(b)
            elseif probe then
                add(b, 'bh', 1)
                if b.f.bh >= param(b, 'pr') then
                    breakerClose(b)
                end
            end
        elseif breakerState(b) == 'c' then
            local slot = math.floor(now / (param(b, 'w') / 60))
            ringsAdd(P .. 'bb:' .. b.id, { { bad and 61 or 0, 60, slot, 1 } })
            local good, failed = breakerCounts(b)
            if good + failed >= param(b, 'ms') and failed >= param(b, 'fr') * (good + failed) then
                breakerOpen(b)
            end
        end
    end,
    idle = function(b)
        return b.f.bs and b.f.bs ~= 'c' and math.huge or now + param(b, 'w')
    end,
}
