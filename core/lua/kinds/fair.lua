-- Kind fair: keys take turns (pieces/turns.lua). A start moves the key's virtual time on by TURN / weight.
-- include bucket

local TURN = 10080 -- every weight up to 10 divides it

Kinds.fair = {
    starts = true,
    counted = function(b, n)
        if n > 0 and b.f.ready == n then
            local latest = tonumber(redis.call('GET', key.latest_turn) or 0)
            local known = b.f.turn_at and b.f.turn_at + limit.bucket_margin_ms >= now
            set(b, field.bucket.turn, known and math.max(b.f.turn, latest) or latest)
        end
    end,
    charge = function(b, weight)
        local at = b.f.turn or 0
        if at > tonumber(redis.call('GET', key.latest_turn) or 0) then
            redis.call('SET', key.latest_turn, string.format('%.0f', at))
        end
        set(b, field.bucket.turn, at + math.floor(TURN / weight))
        set(b, field.bucket.turn_at, now)
    end,
    idle = function(b)
        return b.f.turn_at
    end,
}
