-- Kind pause: nothing starts, until a given time or until the constraint is removed.
-- include bucket

Kinds.pause = {
    admits = function(b)
        local ends = param(b, field.constraints.ends)
        if ends and ends <= now then
            return true
        end
        return false, ends
    end,
}
