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
if not first then -- others were quicker
    return { now, 0, 0, hints(0) }
end
local info = laneInfo(lane)
if not info then
    return redis.error_reply('ERR a lane does not say what it carries: ' .. lane)
end
local ids = {}
for at = 4, #ARGV, 4 do
    ids[#ids + 1] = ARGV[at]
end
local there = ids[1] and redis.call('ZMSCORE', P .. 'lane:' .. lane, unpack(ids)) or {}
-- A job that is edited meanwhile leaves every stale lane but the plain one of its name: there it may be another than the one that was read,
-- and so may be a record that is about to be replaced (its flags change where it stands). What is another one now is read again.
local plain, carries = isPlain(lane, info[1]), string.find(lane, '^[cf]') ~= nil
local name = info[2] or redis.call('HGET', P .. 'lane_names', info[1])
local moved, counted = {}, {}
for i, id in ipairs(ids) do
    local at = 4 * i
    local bk, digest, becomes = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    local record = there[i] and (plain or becomes ~= '') and redis.call('GET', P .. 'j:' .. id)
    if there[i] and (not record or digest == '' or redis.sha1hex(record) == digest) then
        moved[#moved + 1], counted[#counted + 1], counted[#counted + 2] = id, 0, id
        local h = name and { name = name, priority = there[i] } or readHead(id)
        if record and becomes ~= '' then
            redis.call('SET', P .. 'j:' .. id, becomes)
            h = head(becomes)
        end
        if bk == '' and carries then -- else it comes back into the list
            listRemove(info[1], id)
        end
        if h then
            laneAdd(h, id, { bk = bk, be = epoch, la = not plain and lane, listed = carries and becomes == '' })
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
