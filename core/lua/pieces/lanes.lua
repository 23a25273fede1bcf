-- Lanes: ready jobs of one name with the same buckets and costs, by (priority, id). The epoch grows with every change of the matchers that
-- changes which buckets a job has; a lane of another epoch is stale: its jobs are read by the matchers again before they start.
--   <n>       the plain lane of name number n as long as there was no matcher; after that, of jobs that no matcher has read
--   <n>e<E>   jobs that no matcher of epoch E limits; <n>e0 those that no matcher limits
--   c<hash>   jobs that carry buckets; li:<lane> {n, name, epoch, buckets} says which: {bucket, cost, key, bucket, cost, key, …}
--   f<hash>   the same, of a key that takes turns with others (fair.lua); li:<lane> has one number more: where in buckets that one stands
-- Jobs that become ready enter a lane of the present epoch, so a stale one (but for the plain one) only loses jobs. What carries the same
-- has a lane that is read where it stands, from its best job on: `base` of li:<lane> marks it (<n>e0 has an li: too), and `reading`,
-- {epoch, how many are unread behind}, tells how far that has come. When all that are left have been read and carry what they did, it is
-- of the present epoch. Jobs that come while it is stale stand beside it, in <n>e<E> or a hash with the epoch in it, and join it when they
-- are read again.
-- `ready` holds the lanes that may be looked at, and the open buckets that lanes wait at, by their heads: a member is the head's id
-- followed by the lane, or by b<bucket>|<n>|<cost>. `ready:<n>` holds of one name what is not its plain lane. `lanes_at` zset(epoch,
-- lane) knows all lanes but the plain ones. `al:<n>` zset(priority, id) has all jobs of a name that stand in c-lanes, so that they can
-- be listed however many lanes there are; `aln` the names' numbers that have one.
local epoch = tonumber(redis.call('GET', P .. 'epoch') or 0)

local nameNumbers = {}

local function nameNumber(name)
    local n = nameNumbers[name]
    if not n then
        n = redis.call('HGET', P .. 'lanes', name)
        if not n then
            n = tostring(redis.call('INCR', P .. 'lane_last'))
            redis.call('HSET', P .. 'lanes', name, n)
            redis.call('HSET', P .. 'lane_names', n, name)
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
        local packed = (not n or e == '0') and redis.call('GET', P .. 'li:' .. lane)
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
local fairAt, memberOf, newMember -- of fair.lua

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
        elseif not (info and info.base) and redis.call('EXISTS', P .. 'lane:' .. base) == 0 then
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
    local h = redis.call('ZRANGE', P .. 'lane:' .. lane, 0, 0, 'WITHSCORES')
    return h[1], h[2]
end

-- `fair`: of those that take turns.
local function indexPut(n, member, score, fair)
    local index = fair and P .. 'fready' or READY_INDEX
    redis.call('ZADD', index, score, member)
    redis.call('ZADD', index .. ':' .. n, score, member)
end

local function indexDrop(n, member, fair)
    local index = fair and P .. 'fready' or READY_INDEX
    redis.call('ZREM', index, member)
    redis.call('ZREM', index .. ':' .. n, member)
end

-- What the buckets do with a lane whose head moved (buckets.lua): whether it waits at one of them and is no concern of the index.
local parkedLaneMoved, laneOpened

-- A lane's last job is gone.
local function laneEmptied(lane, info)
    redis.call('ZREM', P .. 'lanes_at', lane)
    redis.call('DEL', P .. 'li:' .. lane)
    if info[5] then
        redis.call('HDEL', P .. 'tags', lane)
    end
end

-- All of its jobs were read where they stand, and carry what they did.
local function laneRead(lane, info)
    info[3], info.reading = epoch, nil
    redis.call('SET', P .. 'li:' .. lane, cmsgpack.pack(info))
    redis.call('ZADD', P .. 'lanes_at', epoch, lane)
    if redis.call('HEXISTS', P .. 'parked', lane) == 0 then
        becameReady[info[2] or redis.call('HGET', P .. 'lane_names', info[1])] = true
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
            redis.call('ZREM', READY_INDEX, id .. lane)
        end
        if newId then
            redis.call('ZADD', READY_INDEX, newScore, newId .. lane)
        end
        return
    end
    local info = laneInfo(lane)
    n = info[1]
    if not id then
        redis.call('ZADD', P .. 'lanes_at', info[3], lane)
        if info[4][1] or info.base then
            redis.call('SET', P .. 'li:' .. lane, cmsgpack.pack(info))
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
    redis.call('ZADD', P .. 'al:' .. n, unpack(entries))
    redis.call('ZADD', P .. 'aln', n, n)
end

-- `others`: that another one of the name stands there is known.
local function listRemove(n, id, others)
    redis.call('ZREM', P .. 'al:' .. n, id)
    if not others and redis.call('EXISTS', P .. 'al:' .. n) == 0 then
        redis.call('ZREM', P .. 'aln', n)
    end
end

-- Jobs that become ready gather here, {score, id, score, id, …} for each lane, and enter their lanes together.
local entering, enteringOrder = {}, {}
local laneCounted -- of buckets.lua: so many jobs came to a lane's buckets, or left them: {any, id, any, id, …}

-- `s` has bk and be when a matcher has read the job, la where it stood before, which its hash s:<id> has then, and its state; `listed` when
-- the list of its name has it.
local function laneAdd(h, id, s)
    local n = nameNumber(h.name)
    local lane = laneFor(n, h.name, s and s.bk or '', s and tonumber(s.be))
    local entries = entering[lane]
    if not entries then
        entries = {}
        entering[lane] = entries
        enteringOrder[#enteringOrder + 1] = lane
        becameReady[h.name] = true
    end
    entries[#entries + 1], entries[#entries + 2] = h.priority, id
    entries.unlisted = entries.unlisted or not (s and s.listed)
    if not isPlain(lane, n) then
        if s and s.la then
            redis.call('HSET', P .. 's:' .. id, 'la', lane)
        else
            redis.call('HSET', P .. 's:' .. id, 'st', ST_READY, 'la', lane)
        end
    elseif s and s.la then
        redis.call('HDEL', P .. 's:' .. id, 'la') -- where it stood before it ran
        s.la = nil
    end
end

-- Whoever looks into a lane calls this first.
function settleLanes()
    for _, lane in ipairs(enteringOrder) do
        local entries = entering[lane]
        local id, score = lanePeek(lane)
        redis.call('ZADD', P .. 'lane:' .. lane, unpack(entries))
        if epoch > 0 then
            local info = laneInfo(lane)
            laneCounted(lane, #entries / 2, entries) -- first: a key that was away has its turn by what is remembered of it
            if info[4][1] and entries.unlisted then
                listAdd(info[1], entries)
            end
        end
        laneMoved(lane, id, score)
        count('ready', #entries / 2)
    end
    entering, enteringOrder = {}, {}
end

-- Takes a ready job out of its lane; `s` may name it.
local function laneRemove(h, s, id)
    settleLanes()
    local lane = s.la or nameNumber(h.name)
    local first, score = lanePeek(lane)
    if redis.call('ZREM', P .. 'lane:' .. lane, id) == 1 then
        count('ready', -1)
        if s.la then
            redis.call('HDEL', P .. 's:' .. id, 'la')
            laneCounted(lane, -1, { 0, id })
            listRemove(nameNumber(h.name), id)
        end
        laneMoved(lane, first, score)
    end
end
