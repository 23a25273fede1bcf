#!lua flags=allow-oom
-- Jobs of a stale lane that the matchers of the present epoch have read move to where they belong.
-- KEYS[1] prefix. ARGV: engine, epoch, stale lane, then for each job: id, buckets ('' for none).
-- Reply: now, transaction, how many moved (−1: the epoch is another one by now), hints.
-- include base
-- include record

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end
local lane, moved = ARGV[3], 0
local first, score = lanePeek(lane)
for at = 4, #ARGV, 2 do
    local id = ARGV[at]
    if redis.call('ZREM', P .. 'lane:' .. lane, id) == 1 then
        count('ready', -1)
        laneCounted(lane, -1)
        moved = moved + 1
        local h = readHead(id)
        if h then
            laneAdd(h, id, { bk = ARGV[at + 1], be = epoch })
        end
    end
end
laneMoved(lane, first, score)
return { now, commit(ARGV[1]), moved, hints(0) }
