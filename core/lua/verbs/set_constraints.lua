#!lua library=limits flags=allow-oom
-- Puts constraints into force. With a new epoch, the matchers read every job again.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] the epoch they were made at (-1: any)
-- ARGV[3] whether a new epoch begins (0 or 1)
-- ARGV[4…] for each constraint: number, parameters packed ('' deletes it)
-- Reply now, transaction, the present epoch (−1: nothing was done, the epoch is another one by now), hints.
-- include base
-- include lanes
-- include admission

if ARGV[2] ~= '-1' and tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end
for at = 4, #ARGV, 2 do
    putConstraint(ARGV[at], ARGV[at + 1])
end
if ARGV[3] == '1' then
    epoch = redis.call('INCR', key.epoch)
end
return { now, commit(ARGV[1], field.changed.matchers), epoch, hints(0) }
