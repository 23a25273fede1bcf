#!lua flags=allow-oom
-- Puts constraints into force, and with `newEpoch` has the matchers read every job again.
-- KEYS[1] prefix. ARGV: engine, the epoch they were made at (-1: any), new epoch (0 or 1), then for each constraint: number, parameters
-- packed ('' deletes it).
-- Reply: now, transaction, the epoch now (−1: another one made a change meanwhile, nothing was done), hints.
-- include base
-- include record

if ARGV[2] ~= '-1' and tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end
for at = 4, #ARGV, 2 do
    putConstraint(ARGV[at], ARGV[at + 1])
end
if ARGV[3] == '1' then
    epoch = redis.call('INCR', key.epoch)
end
return { now, commit(ARGV[1]), epoch, hints(0) }
