-- Lanes: a lane holds the ready jobs of one name that carry the same buckets at the same costs, by (priority, id). Here <n> is the name's
-- number.
--   <n>       the plain lane of a name: its jobs that no matcher has read, so all its jobs if there never was a matcher
--   <n>e0     its jobs that no matcher limits: the base lane
--   <n>e<E>   the same, of epoch E: the lane beside the base lane
--   c<hash>   its jobs that carry buckets
--   f<hash>   the same, if one of these buckets takes turns with others (turns.lua)
-- lane_info is {name's number, name, epoch, buckets, place in buckets of the one that takes turns}, where buckets is {bucket, cost, key,
-- bucket, cost, key, …}.
--
-- Epochs: each change of the matchers that can change which buckets a job has begins a new epoch. A lane of an older epoch is stale: the
-- matchers must read its jobs again before they start. Jobs that become ready always enter a lane of the present epoch or a plain lane.
-- So a stale lane only loses jobs, unless it is a plain one.
-- The jobs that carry the same buckets have a base lane, marked by `base` in lane_info. A stale base lane is read in place, from its
-- best job on, and jobs that still belong to it stay; `reading`, {epoch, how many jobs at its end are unread}, says how far this has got.
-- When all jobs left in it have been read, the lane is of the present epoch. Jobs that come while it is stale enter a lane beside it
-- (<n>e<E>, or a hash that the epoch is part of) and move to the base lane when the matchers read them after the next change.
--
-- Indexes: the ready index has an entry for each lane that may have a job to start, and for each open bucket at which lanes wait. An
-- entry's member is the id of the first job, followed by the lane or by b<bucket>|<n>|<cost>. The ready index of a name has the same
-- entries of that name, except its plain lane. `listed` has all jobs of a name's c- and f-lanes, so that they can be listed quickly.
-- `charged` is the epoch at which all running jobs were charged last (verbs/recharge.lua).
local epochs = redis.call('MGET', key.epoch, key.recharged)
local epoch, charged = tonumber(epochs[1] or 0), tonumber(epochs[2] or 0)

local nameNumbers = {}

-- The number of a name as a text; false when there is none.
local function knownNumber(name)
    local nameNo = nameNumbers[name]
    if not nameNo then
        nameNo = redis.call('HGET', key.name_numbers, name)
        nameNumbers[name] = nameNo
    end
    return nameNo
end

-- The same; a new name gets the next number.
local function nameNumber(name)
    local nameNo = knownNumber(name)
    if not nameNo then
        nameNo = tostring(redis.call('INCR', key.last_number))
        redis.call('HSET', key.name_numbers, name, nameNo)
        redis.call('HSET', key.names, nameNo, name)
        nameNumbers[name] = nameNo
    end
    return nameNo
end

local laneInfos = {}

-- lane_info of a lane, {name's number, name, epoch, buckets, fair}; nil when there is none.
local function laneInfo(lane)
    local info = laneInfos[lane]
    if not info then
        local nameNo, e = string.match(lane, '^(%d+)e?(%d*)$')
        local packed = (not nameNo or e == '0') and redis.call('GET', key.lane_info .. lane)
        if packed then
            info = cmsgpack.unpack(packed)
        elseif not string.find(lane, '^[cf]') then
            info = { nameNo, nil, tonumber(e) or 0, {} }
        end
        laneInfos[lane] = info
    end
    return info
end

local unpackedBuckets = {}

-- The buckets that a job carries, {bucket, cost, key, …}, from the packed text of them.
local function carriedIn(bk)
    local carried = unpackedBuckets[bk]
    if not carried then
        carried = cmsgpack.unpack(bk)
        unpackedBuckets[bk] = carried
    end
    return carried
end

local laneNames = {} -- the present lane, by name's number and packed buckets
local fairAt, memberOf, newMember -- defined in turns.lua

-- For jobs of a name that carry these packed buckets, returns the base lane, the lane beside it, the buckets unpacked, and the place among
-- them of the one that takes turns (nil: none does).
local function lanesOf(nameNo, bk)
    if bk == '' then
        return nameNo .. 'e0', nameNo .. 'e' .. epoch, {}
    end
    local carried = carriedIn(bk)
    local fair = fairAt(carried)
    local kind = fair and 'f' or 'c'
    return kind .. string.sub(redis.sha1hex(nameNo .. '|' .. bk), 1, 24),
        kind .. 'x' .. string.sub(redis.sha1hex(nameNo .. '|' .. epoch .. '|' .. bk), 1, 24), carried, fair
end

-- The lane that a ready job belongs to. `bk` are its buckets, packed, and `be` is the epoch of the matchers that gave it these (nil: no
-- matcher has read it).
local function laneFor(nameNo, name, bk, be)
    if epoch == 0 or be ~= epoch then
        return nameNo
    end
    local known = nameNo .. '|' .. bk
    local lane = laneNames[known]
    if not lane then
        local base, beside, carried, fair = lanesOf(nameNo, bk)
        local info = laneInfo(base)
        if info and info.base and info[3] == epoch then
            lane = base
        elseif not (info and info.base) and redis.call('EXISTS', key.lane .. base) == 0 then
            lane = base
            laneInfos[lane] = { nameNo, name, epoch, carried, fair, base = true }
        else
            lane = beside
            laneInfos[lane] = laneInfos[lane] or { nameNo, name, epoch, carried, fair }
        end
        laneNames[known] = lane
    end
    return lane
end

local function isPlain(lane, nameNo)
    return lane == nameNo
end

-- The id and the priority of a lane's first job; nil when it is empty.
local function lanePeek(lane)
    local h = redis.call('ZRANGE', key.lane .. lane, 0, 0, 'WITHSCORES')
    return h[1], h[2]
end

-- Adds an entry to the ready index of all names and to that of one name. `fair`: to the indexes of lanes that take turns.
local function indexPut(nameNo, member, score, fair)
    local index = fair and key.ready_in_turn or key.ready
    redis.call('ZADD', index, score, member)
    redis.call('ZADD', index .. ':' .. nameNo, score, member)
end

local function indexDrop(nameNo, member, fair)
    local index = fair and key.ready_in_turn or key.ready
    redis.call('ZREM', index, member)
    redis.call('ZREM', index .. ':' .. nameNo, member)
end

-- Defined in admission.lua. parkedLaneMoved(): whether a lane whose head changed waits at a bucket, so that the ready indexes need no
-- change. laneOpened(): whether all buckets admit a lane that got its first job; if not, the lane waits at one of them.
local parkedLaneMoved, laneOpened

-- Forgets a lane whose last job has left.
local function laneEmptied(lane, info)
    redis.call('ZREM', key.lane_epochs, lane)
    redis.call('DEL', key.lane_info .. lane)
    if info[5] then
        redis.call('HDEL', key.lane_tags, lane)
    end
end

-- The matchers have read all jobs of a base lane: it is of the present epoch now.
local function laneRead(lane, info)
    info[3], info.reading = epoch, nil
    redis.call('SET', key.lane_info .. lane, cmsgpack.pack(info))
    redis.call('ZADD', key.lane_epochs, epoch, lane)
    if redis.call('HEXISTS', key.parked, lane) == 0 then
        becameReady[info[2] or redis.call('HGET', key.names, info[1])] = true
    end
end

-- Updates a lane's entry after its head changed. The head was (id, score) before; both are nil if the lane was empty. The head now may be
-- left out.
local function laneMoved(lane, id, score, newId, newScore)
    if not newId then
        newId, newScore = lanePeek(lane)
    end
    if newId == id and newScore == score then
        return
    end
    local nameNo = string.match(lane, '^%d+')
    if nameNo == lane then
        if id then
            redis.call('ZREM', key.ready, id .. lane)
        end
        if newId then
            redis.call('ZADD', key.ready, newScore, newId .. lane)
        end
        return
    end
    local info = laneInfo(lane)
    nameNo = info[1]
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
        indexDrop(nameNo, memberOf(lane, info, id), info[5])
    end
    if newId then
        indexPut(nameNo, newMember(lane, info, newId), newScore, info[5])
    else
        laneEmptied(lane, info)
    end
end

-- Adds jobs of a name's c- and f-lanes, {priority, id, …}, to its list.
local function listAdd(nameNo, entries)
    redis.call('ZADD', key.listed .. nameNo, unpack(entries))
    redis.call('ZADD', key.listed_names, nameNo, nameNo)
end

-- Takes jobs out of their name's list. `others`: the caller knows that the list has other jobs.
local function listRemove(nameNo, ids, others)
    redis.call('ZREM', key.listed .. nameNo, unpack(ids))
    if not others and redis.call('EXISTS', key.listed .. nameNo) == 0 then
        redis.call('ZREM', key.listed_names, nameNo)
    end
end

-- Jobs that became ready in this call, {priority, id, priority, id, …} for each lane. settleLanes() adds them to their lanes.
local entering, enteringOrder = {}, {}
local laneCounted -- defined in admission.lua: tells a lane's buckets that n jobs came (n < 0: left); jobs: {anything, id, anything, id, …}

-- Lets a ready job enter this lane. `listed`: its name's list has the job.
local function enter(lane, name, priority, id, listed)
    local entries = entering[lane]
    if not entries then
        entries = {}
        entering[lane] = entries
        enteringOrder[#enteringOrder + 1] = lane
        becameReady[name] = true
    end
    local n = #entries
    entries[n + 1], entries[n + 2] = whole(priority), id
    if not listed then
        entries.unlisted = true
    end
end

-- Lets a ready job enter its lane. `s` may be nil for a job without a stored state; else it has the buckets and the epoch if the matchers
-- have read the job, and the lane that the job was in before, if its stored state names one. `listed`: its name's list has the job.
local function laneAdd(h, id, s, listed)
    local nameNo = nameNumber(h.name)
    local lane = laneFor(nameNo, h.name, s and s.buckets or '', s and tonumber(s.epoch))
    enter(lane, h.name, h.priority, id, listed)
    if not isPlain(lane, nameNo) then
        if s and s.lane then
            redis.call('HSET', key.state .. id, field.lane, lane)
        else
            redis.call('HSET', key.state .. id, field.state, ST_READY, field.lane, lane)
        end
    elseif s and s.lane then
        redis.call('HDEL', key.state .. id, field.lane) -- the lane it was in before it ran
        s.lane = nil
    end
end

-- Adds the jobs that became ready to their lanes. To be called before any lane is read.
function settleLanes()
    for _, lane in ipairs(enteringOrder) do
        local entries, id, score = entering[lane], nil, nil
        local single = #entries == 2 and entries[2]
        if not single then
            id, score = lanePeek(lane)
        end
        redis.call('ZADD', key.lane .. lane, unpack(entries))
        if epoch > 0 then
            local info = laneInfo(lane)
            laneCounted(lane, #entries / 2, entries) -- before the lane gets its entry: this may set its key's virtual time (kinds/fair.lua)
            if info[4][1] and entries.unlisted then
                listAdd(info[1], entries)
            end
        end
        if single then -- if it is the head now, the second was the head before
            local two = redis.call('ZRANGE', key.lane .. lane, 0, 1, 'WITHSCORES')
            if two[1] == single then
                laneMoved(lane, two[3], two[4], two[1], two[2])
            end
        else
            laneMoved(lane, id, score)
        end
        count(field.totals.ready, #entries / 2)
    end
    entering, enteringOrder = {}, {}
end

-- Takes a ready job out of its lane: s.lane, or the plain lane.
local function laneRemove(h, s, id)
    settleLanes()
    local lane = s.lane or nameNumber(h.name)
    local first, score = lanePeek(lane)
    if redis.call('ZREM', key.lane .. lane, id) == 1 then
        count(field.totals.ready, -1)
        if s.lane then
            redis.call('HDEL', key.state .. id, field.lane)
            laneCounted(lane, -1, { 0, id })
            listRemove(nameNumber(h.name), { id })
        end
        laneMoved(lane, first, score)
    end
end

-- From here on, the script is an inner function (embed.py says why).
-- nest
-- include admission
