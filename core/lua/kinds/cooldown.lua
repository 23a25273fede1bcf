-- Kind cooldown: after a failure with a retry_after, nothing starts for that time.
-- include bucket

Kinds.cooldown = {
    admits = function(b)
        local ends = b.f.cools_until or 0
        if ends <= now then
            return true
        end
        return false, ends
    end,
    uncharge = function(b, _, _, how, after_ms)
        if how == 'f' and after_ms > 0 then
            set(b, field.bucket.cools_until, math.max(b.f.cools_until or 0, now + math.min(after_ms, param(b, field.constraints.most))))
        end
    end,
    idle = function(b)
        return b.f.cools_until
    end,
}
