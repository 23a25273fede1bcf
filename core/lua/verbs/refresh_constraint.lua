#!lua library=limits flags=allow-oom
-- Stores a constraint's parameters again with the next boundaries of its windows, before the stored ones run out.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] version of the matchers that the parameters were made from
-- ARGV[3] constraint's number
-- ARGV[4] parameters
-- Reply now, transaction, 1 (−1: nothing was done, the matchers have another version or the constraint is gone), hints.
-- include base
-- include admission

local number = ARGV[3]
if tonumber(ARGV[2]) ~= tonumber(redis.call('GET', key.matcher_version) or 0) or redis.call('HEXISTS', key.constraints, number) == 0 then
    return { now, 0, -1, hints(0) }
end
putConstraint(number, ARGV[4])
return { now, commit(ARGV[1], field.changed.matchers), 1, hints(0) }
