#!lua flags=allow-oom
-- Jobs of a stale lane that the matchers of the present epoch have read move to where they belong.
-- KEYS[1] prefix. ARGV: engine, epoch, stale lane, then for each job: id, buckets ('' for none), SHA-1 of the record that was read ('': it
-- does not matter), what the record becomes ('': as it is).
-- Reply: now, transaction, how many moved (−1: the epoch is another one by now), hints.
-- include base
-- include record

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end
local lane, moved = ARGV[3], 0
local first, score = lanePeek(lane)
for at = 4, #ARGV, 4 do
    local id, digest, becomes = ARGV[at], ARGV[at + 2], ARGV[at + 3]
    local record = redis.call('GET', P .. 'j:' .. id)
    local asRead = digest == '' or record and redis.sha1hex(record) == digest -- else it was edited meanwhile, and is read again
    if asRead and redis.call('ZREM', P .. 'lane:' .. lane, id) == 1 then
        count('ready', -1)
        laneCounted(lane, -1, { 0, id })
        moved = moved + 1
        if record then
            if becomes ~= '' then
                redis.call('SET', P .. 'j:' .. id, becomes)
                record = becomes
            end
            local h = head(record)
            listRemove(nameNumber(h.name), id)
            laneAdd(h, id, { bk = ARGV[at + 1], be = epoch })
        end
    end
end
laneMoved(lane, first, score)
return { now, commit(ARGV[1]), moved, hints(0) }
