-- Lanes: ready jobs of one name with the same buckets and costs, by (priority, id). The epoch grows with every change of the matchers that
-- changes which buckets a job has; a lane of another epoch is stale: its jobs are read by the matchers again before they start.
--   <n>       the plain lane of name number n as long as there was no matcher; after that, of jobs that no matcher has read
--   <n>e<E>   jobs that no matcher of epoch E limits; <n>e0 those that no matcher limits
--   c<hash>   jobs that carry buckets; lane_info {n, name, epoch, buckets} says which: {bucket, cost, key, bucket, cost, key, …}
--   f<hash>   the same, of a key that takes turns with others (turns.lua); lane_info has one number more: where in buckets that one stands
-- Jobs that become ready enter a lane of the present epoch, so a stale one (but for the plain one) only loses jobs. What carries the same
-- has a lane that is read where it stands, from its best job on: `base` of lane_info marks it (<n>e0 has one, too), and `reading`,
-- {epoch, how many are unread behind}, tells how far that has come. When all that are left have been read and carry what they did, it is
-- of the present epoch. Jobs that come while it is stale stand beside it, in <n>e<E> or a hash with the epoch in it, and join it when they
-- are read again.
-- The ready index holds the lanes that may be looked at, and the open buckets that lanes wait at, by their heads: a member is the head's
-- id followed by the lane, or by b<bucket>|<n>|<cost>. That of one name holds what is not its plain lane. `listed` has all jobs of a name
-- that stand in c-lanes, so that they can be listed however many lanes there are.
local epoch = tonumber(redis.call('GET', key.epoch) or 0)

local nameNumbers = {}

local function nameNumber(name)
    local n = nameNumbers[name]
    if not n then
        n = redis.call('HGET', key.name_numbers, name)
        if not n then
            n = tostring(redis.call('INCR', key.last_number))
            redis.call('HSET', key.name_numbers, name, n)
            redis.call('HSET', key.names, n, name)
        end
        nameNumbers[name] = n
    end
    return n
end

local laneInfos = {}

-- {n, name, epoch, buckets, fair} of a lane; nothing when there is none.
local function laneInfo(lane)
    local info = laneInfos[lane]
    if not info then
        local n, e = string.match(lane, '^(%d+)e?(%d*)$')
        local packed = (not n or e == '0') and redis.call('GET', key.lane_info .. lane)
        if packed then
            info = cmsgpack.unpack(packed)
        elseif not string.find(lane, '^[cf]') then
            info = { n, nil, tonumber(e) or 0, {} }
        end
        laneInfos[lane] = info
    end
    return info
end

local laneNames = {} -- by name and buckets
local fairAt, memberOf, newMember -- of turns.lua

-- Where jobs stand that carry these: the lane that is read where it stands, the one beside it, what they carry, and where in it what takes
-- turns is.
local function lanesOf(n, bk)
    if bk == '' then
        return n .. 'e0', n .. 'e' .. epoch, {}
    end
    local carried = cmsgpack.unpack(bk)
    local fair = fairAt(carried)
    local kind = fair and 'f' or 'c'
    return kind .. string.sub(redis.sha1hex(n .. '|' .. bk), 1, 24),
        kind .. 'x' .. string.sub(redis.sha1hex(n .. '|' .. epoch .. '|' .. bk), 1, 24), carried, fair
end

-- Where a ready job belongs: `bk` are its buckets, packed, read at epoch `be`; nothing when no matcher has read it.
local function laneFor(n, name, bk, be)
    if epoch == 0 or be ~= epoch then
        return n
    end
    local known = n .. '|' .. bk
    local lane = laneNames[known]
    if not lane then
        local base, beside, carried, fair = lanesOf(n, bk)
        local info = laneInfo(base)
        if info and info.base and info[3] == epoch then
            lane = base
        elseif not (info and info.base) and redis.call('EXISTS', key.lane .. base) == 0 then
            lane = base
            laneInfos[lane] = { n, name, epoch, carried, fair, base = true }
        else
            lane = beside
            laneInfos[lane] = laneInfos[lane] or { n, name, epoch, carried, fair }
        end
        laneNames[known] = lane
    end
    return lane
end

local function isPlain(lane, n)
    return lane == n
end

local function lanePeek(lane)
    local h = redis.call('ZRANGE', key.lane .. lane, 0, 0, 'WITHSCORES')
    return h[1], h[2]
end

-- `fair`: of those that take turns.
local function indexPut(n, member, score, fair)
    local index = fair and key.ready_in_turn or key.ready
    redis.call('ZADD', index, score, member)
    redis.call('ZADD', index .. ':' .. n, score, member)
end

local function indexDrop(n, member, fair)
    local index = fair and key.ready_in_turn or key.ready
    redis.call('ZREM', index, member)
    redis.call('ZREM', index .. ':' .. n, member)
end

-- What the buckets do with a lane whose head moved (admission.lua): whether it waits at one of them and is no concern of the index.
local parkedLaneMoved, laneOpened

-- A lane's last job is gone.
local function laneEmptied(lane, info)
    redis.call('ZREM', key.lane_epochs, lane)
    redis.call('DEL', key.lane_info .. lane)
    if info[5] then
        redis.call('HDEL', key.lane_tags, lane)
    end
end

-- All of its jobs were read where they stand, and carry what they did.
local function laneRead(lane, info)
    info[3], info.reading = epoch, nil
    redis.call('SET', key.lane_info .. lane, cmsgpack.pack(info))
    redis.call('ZADD', key.lane_epochs, epoch, lane)
    if redis.call('HEXISTS', key.parked, lane) == 0 then
        becameReady[info[2] or redis.call('HGET', key.names, info[1])] = true
    end
end

-- Puts a lane back where it belongs after its head changed from (id, score), either of which may be nothing.
local function laneMoved(lane, id, score)
    local newId, newScore = lanePeek(lane)
    if newId == id and newScore == score then
        return
    end
    local n = string.match(lane, '^%d+')
    if n == lane then
        if id then
            redis.call('ZREM', key.ready, id .. lane)
        end
        if newId then
            redis.call('ZADD', key.ready, newScore, newId .. lane)
        end
        return
    end
    local info = laneInfo(lane)
    n = info[1]
    if not id then
        redis.call('ZADD', key.lane_epochs, info[3], lane)
        if info[4][1] or info.base then
            redis.call('SET', key.lane_info .. lane, cmsgpack.pack(info))
        end
    end
    if info[4][1] then
        if id and parkedLaneMoved(lane, info, id, newId, newScore) or not id and not laneOpened(lane, info, newId, newScore) then
            return
        end
    end
    if id then
        indexDrop(n, memberOf(lane, info, id), info[5])
    end
    if newId then
        indexPut(n, newMember(lane, info, newId), newScore, info[5])
    else
        laneEmptied(lane, info)
    end
end

-- Jobs that come to c-lanes of a name, or leave them.
local function listAdd(n, entries)
    redis.call('ZADD', key.listed .. n, unpack(entries))
    redis.call('ZADD', key.listed_names, n, n)
end

-- `others`: that another one of the name stands there is known.
local function listRemove(n, id, others)
    redis.call('ZREM', key.listed .. n, id)
    if not others and redis.call('EXISTS', key.listed .. n) == 0 then
        redis.call('ZREM', key.listed_names, n)
    end
end

-- Jobs that become ready gather here, {score, id, score, id, …} for each lane, and enter their lanes together.
local entering, enteringOrder = {}, {}
local laneCounted -- of admission.lua: so many jobs came to a lane's buckets, or left them: {any, id, any, id, …}

-- `s` has buckets and epoch when a matcher has read the job, and the lane where it stood before, which its state has then; `listed` when
-- the list of its name has it.
local function laneAdd(h, id, s, listed)
    local n = nameNumber(h.name)
    local lane = laneFor(n, h.name, s and s.buckets or '', s and tonumber(s.epoch))
    local entries = entering[lane]
    if not entries then
        entries = {}
        entering[lane] = entries
        enteringOrder[#enteringOrder + 1] = lane
        becameReady[h.name] = true
    end
    entries[#entries + 1], entries[#entries + 2] = h.priority, id
    entries.unlisted = entries.unlisted or not listed
    if not isPlain(lane, n) then
        if s and s.lane then
            redis.call('HSET', key.state .. id, field.lane, lane)
        else
            redis.call('HSET', key.state .. id, field.state, ST_READY, field.lane, lane)
        end
    elseif s and s.lane then
        redis.call('HDEL', key.state .. id, field.lane) -- where it stood before it ran
        s.lane = nil
    end
end

-- Whoever looks into a lane calls this first.
function settleLanes()
    for _, lane in ipairs(enteringOrder) do
        local entries = entering[lane]
        local id, score = lanePeek(lane)
        redis.call('ZADD', key.lane .. lane, unpack(entries))
        if epoch > 0 then
            local info = laneInfo(lane)
            laneCounted(lane, #entries / 2, entries) -- first: a key that was away has its turn by what is remembered of it
            if info[4][1] and entries.unlisted then
                listAdd(info[1], entries)
            end
        end
        laneMoved(lane, id, score)
        count(field.totals.ready, #entries / 2)
    end
    entering, enteringOrder = {}, {}
end

-- Takes a ready job out of its lane; `s` may name it.
local function laneRemove(h, s, id)
    settleLanes()
    local lane = s.lane or nameNumber(h.name)
    local first, score = lanePeek(lane)
    if redis.call('ZREM', key.lane .. lane, id) == 1 then
        count(field.totals.ready, -1)
        if s.lane then
            redis.call('HDEL', key.state .. id, field.lane)
            laneCounted(lane, -1, { 0, id })
            listRemove(nameNumber(h.name), id)
        end
        laneMoved(lane, first, score)
    end
end

-- What comes behind is a function inside the script.
-- nest
-- include admission
