-- Kind concurrency: a limit on the cost of the jobs that run at once.
-- include bucket

Kinds.concurrency = {
    running = true,
    admits = function(b, cost)
        return not Kinds.concurrency.holds(b, cost)
    end,
    holds = function(b, cost)
        local most, used = param(b, field.constraints.limit), b.f.used or 0
        -- A job that costs more than the limit runs alone.
        if most <= 0 or used > 0 and used + cost > most then
            return used
        end
        -- If the best waiting job has waited too long, jobs of another cost must leave enough units free for it.
        if b.f.waiter_since and param(b, field.constraints.reserve_after) and now - b.f.waiter_since >= param(b,
            field.constraints.reserve_after) and b.f.waiter_cost ~= cost then
            return math.min(most, used + b.f.waiter_cost)
        end
        return nil
    end,
}
