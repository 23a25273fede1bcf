#!lua library=limits flags=allow-oom
-- Sorts jobs of stale lanes after the matchers of the present epoch have read them: jobs whose buckets are the same stay in their lane, the
-- others move to the lanes where they belong.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] epoch
-- ARGV[3…] for each lane: lane, its mark when these jobs were read (−1: none), how many jobs are unread behind these (−1: these are its
--          first jobs, and a claim waits for them), how many jobs, and for each job: id, buckets ('' for none), SHA-1 of the record that
--          was read ('': it need not be compared), the new record ('': unchanged)
-- Reply now, transaction, how many stayed or moved (−1: nothing was done, the epoch is another one by now), hints.
-- include base
-- include record
-- include lanes

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end

-- Returns a function that says whether jobs with given buckets belong to this base lane.
local function keeper(lane, info)
    local known = {}
    return function(bk)
        if known[bk] == nil then
            local base, _, _, fair = lanesOf(info[1], bk)
            known[bk] = base == lane and fair == info[5]
        end
        return known[bk]
    end
end

-- A new record may allow fewer tries than the job has failed already. Then the next failure is final, and this field says why it has more
-- failures than its max_retry allows (invariant I6).
local function noteFailures(id, h)
    local failures = tonumber(redis.call('HGET', key.state .. id, field.failures) or 0)
    if failures > h.retries then
        redis.call('HSET', key.state .. id, field.failed_over, failures)
    end
end

-- Some jobs of a base lane were read and stay in it. If these are all its jobs, or no job behind them is unread, the lane is of the present
-- epoch now; otherwise its mark moves on.
local function noteRead(lane, info, all, mark, behind, missed)
    local known = info.reading and info.reading[1] == epoch and info.reading[2] or -1
    if all or behind == 0 and known == mark and not missed then
        laneRead(lane, info)
    elseif behind > 0 and known == mark and not missed then
        info.reading = { epoch, behind }
        redis.call('SET', key.lane_info .. lane, cmsgpack.pack(info))
    end
end

-- Sorts `n` jobs of one lane, which are in ARGV from `at` on. Returns how many stayed or moved.
local function relane(lane, info, mark, behind, at, n)
    local first, score = lanePeek(lane)
    local plain, carries = isPlain(lane, info[1]), string.find(lane, '^[cf]') ~= nil
    if not first or not plain and info[3] == epoch then -- another master was first
        return 0
    end
    local ids = {}
    for i = 1, n do
        ids[i] = ARGV[at + 4 * (i - 1)]
    end
    local there, present, left = redis.call('ZMSCORE', key.lane .. lane, unpack(ids)), 0, redis.call('ZCARD', key.lane .. lane)
    for i = 1, n do
        present = present + (there[i] and 1 or 0)
    end
    local mayStay = info.base and (behind >= 0 or present == left)
    local stays = mayStay and keeper(lane, info)
    -- A job's record may have changed since it was read. An edit takes the job out of its lane, except out of the plain one, and coalescing
    -- changes flags in the record. So the record is compared in the plain lane, and before it is replaced; if it differs, the job is read
    -- again.
    local name = info[2] or redis.call('HGET', key.names, info[1])
    local moved, counted, stayed, missed = {}, {}, 0, false
    for i, id in ipairs(ids) do
        local job = at + 4 * (i - 1)
        local bk, digest, becomes = ARGV[job + 1], ARGV[job + 2], ARGV[job + 3]
        local stay = stays and becomes == '' and stays(bk)
        local record = there[i] and not stay and (plain or becomes ~= '') and redis.call('GET', key.job .. id)
        if there[i] and stay then
            stayed = stayed + 1
        elseif there[i] and (not record or digest == '' or redis.sha1hex(record) == digest) then
            moved[#moved + 1], counted[#counted + 1], counted[#counted + 2] = id, 0, id
            local h = name and { name = name, priority = there[i] } or readHead(id)
            if record and becomes ~= '' then
                redis.call('SET', key.job .. id, becomes)
                h = head(becomes)
                noteFailures(id, h)
            end
            if bk == '' and carries then -- a job that still carries buckets stays in the list of its name
                listRemove(info[1], { id })
            end
            if h then
                local stands = { [field.buckets] = bk, [field.epoch] = epoch, [field.lane] = not plain and lane }
                laneAdd(h, id, stands, carries and becomes == '')
            end
        elseif there[i] then
            missed = true
        end
    end
    if moved[1] then
        left = left - #moved
        redis.call('ZREM', key.lane .. lane, unpack(moved))
        count(field.totals.ready, -#moved)
        laneCounted(lane, -#moved, counted)
        laneMoved(lane, first, score)
    end
    if mayStay and left > 0 then
        noteRead(lane, info, stayed == left, mark, behind, missed)
    end
    return stayed + #moved
end

local at, lanes, looked = 3, {}, 0
while ARGV[at] do
    local lane, n = ARGV[at], tonumber(ARGV[at + 3])
    local info = laneInfo(lane)
    if not info and redis.call('EXISTS', key.lane .. lane) == 1 then
        return redis.error_reply('ERR a lane does not say what it carries: ' .. lane)
    elseif info and n > 0 then
        lanes[#lanes + 1] = { lane, info, tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), at + 4, n }
    end
    at = at + 4 + 4 * n
end
for _, each in ipairs(lanes) do
    looked = looked + relane(unpack(each))
end
return { now, commit(ARGV[1]), looked, hints(0) }
