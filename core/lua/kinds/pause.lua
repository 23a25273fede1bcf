-- Nothing starts, for a time or until it is taken away.
-- include bucket

kinds.pause = {
    admits = function(b)
        local ends = param(b, field.constraints.ends)
        if ends and ends <= now then
            return true
        end
        return false, ends
    end,
}
