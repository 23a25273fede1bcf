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
local lane = ARGV[3]
local first, score = lanePeek(lane)
local ids = {}
for at = 4, #ARGV, 4 do
    ids[#ids + 1] = ARGV[at]
end
local there = ids[1] and redis.call('ZMSCORE', P .. 'lane:' .. lane, unpack(ids)) or {}
local moved, counted = {}, {}
for i, id in ipairs(ids) do
    local at = 4 * i
    local bk, digest, becomes = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    local record = there[i] and redis.call('GET', P .. 'j:' .. id)
    -- Else it was edited meanwhile, and is read again.
    if there[i] and (digest == '' or record and redis.sha1hex(record) == digest) then
        moved[#moved + 1], counted[#counted + 1], counted[#counted + 2] = id, 0, id
        if record then
            if becomes ~= '' then
                redis.call('SET', P .. 'j:' .. id, becomes)
                record = becomes
            end
            local h = head(record)
            if bk == '' then -- else it comes back into the list
                listRemove(nameNumber(h.name), id)
            end
            laneAdd(h, id, { bk = bk, be = epoch })
        end
    end
end
if moved[1] then
    redis.call('ZREM', P .. 'lane:' .. lane, unpack(moved))
    count('ready', -#moved)
    laneCounted(lane, -#moved, counted)
    laneMoved(lane, first, score)
end
return { now, commit(ARGV[1]), #moved, hints(0) }
