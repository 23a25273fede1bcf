-- Kind breaker, a circuit breaker: when too many attempts in a window fail, nothing starts for a time; then it is half-open, and some
-- probes decide whether it closes. Two rings of 60 slots count the good and the bad ends in the window.
-- include bucket
-- include rings

-- The slot of this moment. The rings begin anew when the window has changed.
local function breakerSlot(b)
    local slot, window = math.floor(now / (param(b, field.constraints.window) / 60)), param(b, field.constraints.window)
    if b.f.ring_window ~= window or slot - b.f.ring_start > 4e9 then -- the index of a ring's slot has 32 bits
        redis.call('DEL', key.breaker_rings .. b.id)
        set(b, field.bucket.ring_window, window)
        set(b, field.bucket.ring_start, slot - 1e6) -- so that the index stays positive if the clock is set back
    end
    return slot - b.f.ring_start
end

-- How many good and bad ends there are in the window that ends with this slot.
local function breakerCounts(b, slot)
    local words = {}
    for i = 0, 121 do
        words[3 * i + 1], words[3 * i + 2], words[3 * i + 3] = 'GET', 'u32', i * 32
    end
    local rings = redis.call('BITFIELD_RO', key.breaker_rings .. b.id, unpack(words))
    local sums = { 0, 0 }
    for ring = 1, 2 do
        local newest = rings[61 * ring - 60]
        for s = math.max(slot, newest) - 59, newest do
            sums[ring] = sums[ring] + rings[61 * ring - 59 + s % 60]
        end
    end
    return sums[1], sums[2]
end

-- Opens the breaker for `for_ms`; nil: for as long as its parameters say.
local function breakerOpen(b, for_ms)
    local times = (b.f.openings or 0) + 1
    local long = for_ms or math.min(param(b, field.constraints.open_for) * param(b, field.constraints.factor) ^ (times - 1), param(b,
        field.constraints.open_most))
    set(b, field.bucket.breaker, 'o')
    set(b, field.bucket.openings, times)
    set(b, field.bucket.open_until, now + math.floor(long))
    redis.call('DEL', key.breaker_rings .. b.id, key.breaker_probes .. b.id)
end

local function breakerClose(b)
    set(b, field.bucket.breaker, 'c')
    set(b, field.bucket.openings, 0)
    redis.call('DEL', key.breaker_rings .. b.id, key.breaker_probes .. b.id)
end

-- c closed, o open, h half-open. The stored state stays o until the first probe starts.
local function breakerState(b)
    if b.f.breaker == 'o' and (b.f.open_until or 0) <= now then
        return 'h'
    end
    return b.f.breaker or 'c'
end

-- Opens the breaker by hand. If it is open already, that is not counted as one more opening in a row.
local function breakerTrip(b, for_ms)
    if breakerState(b) == 'o' then
        b.f.openings = b.f.openings - 1
    end
    breakerOpen(b, for_ms)
end

Kinds.breaker = {
    starts = true,
    keeps = { bare.breaker_rings, bare.breaker_probes },
    admits = function(b)
        local state = breakerState(b)
        if state == 'c' then
            return true
        elseif state == 'o' then
            return false, b.f.open_until
        end
        local good = b.f.breaker == 'h' and b.f.good_probes or 0
        return good >= param(b, field.constraints.probes) or redis.call('SCARD', key.breaker_probes .. b.id) + good < param(b,
            field.constraints.probes)
    end,
    charge = function(b, _, id)
        if breakerState(b) == 'h' then
            if b.f.breaker ~= 'h' then
                set(b, field.bucket.breaker, 'h')
                set(b, field.bucket.good_probes, 0)
            end
            if b.f.good_probes >= param(b, field.constraints.probes) then
                breakerClose(b) -- an edit asks for fewer probes now than have succeeded
            else
                redis.call('SADD', key.breaker_probes .. b.id, id)
            end
        end
    end,
    uncharge = function(b, _, id, how)
        local probe = b.f.breaker == 'h' and redis.call('SREM', key.breaker_probes .. b.id, id) == 1
        local bad = how == 'f' or how == 'e'
        if how ~= 's' and not bad then
            return
        elseif b.f.breaker == 'h' then
            if probe and bad then
                breakerOpen(b)
            elseif probe then
                add(b, field.bucket.good_probes, 1)
                if b.f.good_probes >= param(b, field.constraints.probes) then
                    breakerClose(b)
                end
            end
        elseif breakerState(b) == 'c' then
            local slot = breakerSlot(b)
            set(b, field.bucket.counted, now)
            ringsAdd(key.breaker_rings .. b.id, { { bad and 61 or 0, 60, slot, 1 } })
            local good, failed = breakerCounts(b, slot)
            if good + failed >= param(b, field.constraints.samples) and failed >= param(b,
                field.constraints.failure_rate) * (good + failed) then
                breakerOpen(b)
            end
        end
    end,
    idle = function(b)
        if b.f.breaker and b.f.breaker ~= 'c' then
            return b.f.open_until + limit.breaker_kept_ms
        end
        return (b.f.counted or 0) + param(b, field.constraints.window)
    end,
}
