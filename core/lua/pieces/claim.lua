-- Claims: takes the best jobs for sets of names. The best job has the smallest (priority, id) of all lanes whose name is in the set and
-- whose buckets all admit it. Each round starts jobs, lets a lane wait at a bucket, or moves a job that may not start. limit.lane_checks
-- and limit.items bound a call. It also ends when the next lane is stale: then its first jobs go to the master, to be read by the matchers.
-- include record
-- include lanes
-- include bucket
-- include turns
-- include admission
-- include place
-- include state
-- include measures
-- include ends
-- include reading

-- The best two entries of an index after one more is offered (nil: none is).
local function offer(best, second, member, score, fair)
    if not member then
        return best, second
    end
    local entry = { member = member, order = untagged(member, fair), score = tonumber(score), fair = fair }
    if not best or standsBefore(entry.score, entry.order, best.score, best.order) then
        return entry, best
    elseif not second or standsBefore(entry.score, entry.order, second.score, second.order) then
        return best, entry
    end
    return best, second
end

-- The better one of `fairest`, {member, score} or nil, and the first entry of an index of lanes that take turns.
local function offerFair(fairest, index)
    local found = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
    local score = tonumber(found[2])
    if score and (not fairest or standsBefore(score, found[1], fairest[2], fairest[1])) then
        return { found[1], score }
    end
    return fairest
end

-- Finds, in the ready indexes, the best entry for a set of names, {member, order, score, fair}; the next entry; and the first entry of
-- lanes that take turns, {member, score}, which may be one of those two. `order` is the member without its tag (turns.lua).
local function bestEntries(names)
    local best, second, fairest
    if not names[1] then
        local found = redis.call('ZRANGE', key.ready, 0, 1, 'WITHSCORES')
        best, second = offer(best, second, found[1], found[2])
        best, second = offer(best, second, found[3], found[4])
        if epoch > 0 then
            fairest = offerFair(fairest, key.ready_in_turn)
        end
    end
    for _, name in ipairs(names) do
        local nameNo = knownNumber(name)
        if nameNo then
            local id, score = lanePeek(nameNo)
            best, second = offer(best, second, id and id .. nameNo, score)
            if epoch > 0 then
                local found = redis.call('ZRANGE', key.ready_of .. nameNo, 0, 1, 'WITHSCORES')
                best, second = offer(best, second, found[1], found[2])
                best, second = offer(best, second, found[3], found[4])
                fairest = offerFair(fairest, key.ready_in_turn_of .. nameNo)
            end
        end
    end
    if fairest then
        best, second = offer(best, second, fairest[1], fairest[2], true)
    end
    return best, second, fairest
end

-- Whether an entry of lanes that take turns has the current virtual time of its key as its tag. If not, the entry is moved.
local function inTurn(member, score)
    local tag, place_ = string.sub(member, 1, 16), string.sub(member, 33)
    local bucket, group = string.match(place_, '^b([^|]+)|(.*)$')
    if not bucket then
        local info = laneInfo(place_)
        if not info or info[3] ~= epoch or tagNow(info) == tag then
            return true
        end
        indexDrop(info[1], member, true)
        indexPut(info[1], newMember(place_, info, string.sub(member, 17, 32)), score, true)
        return false
    end
    local waiting = key.bucket_waiting .. bucket .. '|' .. group
    local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    local lane = first[1] and string.sub(first[1], 33)
    local info = lane and laneInfo(lane)
    if not info or info[3] ~= epoch or tagNow(info) == tag then
        return true
    end
    redis.call('ZREM', waiting, first[1])
    redis.call('ZADD', waiting, first[2], newMember(lane, info, string.sub(first[1], 17, 32)))
    refreshGroup(bucketOf(bucket), group, member)
    return false
end

-- Whether the first entry of lanes that take turns would start. If not, it is served now, only to make room for the next such entry, which
-- may go before the entries that take no turns.
local function wouldStart(member)
    local place_ = string.sub(member, 33)
    local waiting = string.match(place_, '^b(.*)$')
    local first = waiting and redis.call('ZRANGE', key.bucket_waiting .. waiting, 0, 0)[1]
    local info = (first or not waiting) and laneInfo(first and string.sub(first, 33) or place_)
    return info and info[3] == epoch and not holder(info)
end

-- Pops up to `wanted` jobs of a lane without buckets, as long as they come before `bound` (nil: no bound). `first` is the lane's entry.
local function popPlain(lane, first, wanted, bound)
    local itsKey = key.lane .. lane
    local n = wanted
    if bound and wanted > 1 then
        local jobs = redis.call('ZRANGE', itsKey, 0, wanted - 1, 'WITHSCORES')
        n = 1
        while n < #jobs / 2 do
            local id, score = jobs[2 * n + 1], tonumber(jobs[2 * n + 2])
            if standsBefore(bound.score, bound.order, score, id) then
                break
            end
            n = n + 1
        end
    end
    local popped = redis.call('ZPOPMIN', itsKey, n)
    local ids = {}
    for i = 1, #popped, 2 do
        ids[#ids + 1] = popped[i]
    end
    count(field.totals.ready, -#ids)
    laneMoved(lane, string.sub(first.member, 1, 16), popped[2])
    return ids
end

local started = {} -- {expires, id, …}: added to the running jobs with one command

-- Whether a job with special options may start now. A job that expired fails; a job whose window is closed is scheduled again.
local function mayStart(id, h, ex, attempt)
    local s = readInto({ [field.state] = ST_READY, [field.special] = ex }, id, SPECIAL_FIELDS)
    if special(s, WINDOWS) then
        redis.call('ZREM', key.window_ends, id)
    end
    local expires = special(s, EXPIRES) and attempt == 1
    if expires and tonumber(s.expires) <= now then
        endUnstarted(id, h, s, ST_FAILED, 'expired', 'It was not started in time.')
        return false
    end
    if special(s, WINDOWS) and not windowAt(id, now) then
        place(id, h, s, now)
        return false
    end
    if expires then
        redis.call('ZREM', key.expiring, id)
    end
    if s.unique_until == 's' then
        freeUnique(id, s)
    end
    return true
end

-- ready → running, for `request` {worker, lease_ms, token}. `bk` are the job's buckets, packed, and `be` is the epoch of the matchers that
-- gave it these (0: no matcher has read it). `fresh`: the job has no stored state. Returns what the worker gets, {id, record, attempt,
-- lease, expires, deadline}; nil when the job may not start.
local function start(id, nameNo, record, request, secret, bk, be, fresh)
    local h = head(record)
    local state = key.state .. id
    local before = fresh and {} or redis.call('HMGET', state, field.attempt, field.special, field.ready_since)
    local attempt = tonumber(before[1] or 0) + 1
    if before[2] and before[2] ~= '' and not mayStart(id, h, before[2], attempt) then
        return nil
    end
    Stats.started(nameNo, id, before[3])
    local lease = whole(attempt) .. '.' .. secret
    local deadline = now + h.timeout
    local lease_ms = request.lease_ms == 0 and h.timeout or math.min(request.lease_ms, h.timeout)
    local expires = now + lease_ms
    if attempt > 1 then
        redis.call('HDEL', state, field.holder, field.heard, field.cancel, field.uncertain, field.run_at, field.ready_since, field.done,
            field.total, field.progress)
    end
    local fields = { field.state, whole(ST_RUNNING), field.attempt, whole(attempt), field.lease, lease, field.worker, request.worker,
        field.started, whole(now), field.deadline, whole(deadline), field.lease_ms, whole(lease_ms), field.number, nameNo }
    if h.keep then
        fields[17], fields[18] = field.result_ttl, whole(resultTtl(h))
    end
    if request.token ~= '' then
        local at = #fields
        fields[at + 1], fields[at + 2] = field.holder, request.token
    end
    if be > 0 then -- the matchers need not read it again when it becomes ready once more
        local at = #fields
        fields[at + 1], fields[at + 2], fields[at + 3], fields[at + 4] = field.buckets, bk, field.epoch, whole(be)
    end
    redis.call('HSET', state, unpack(fields))
    started[#started + 1], started[#started + 2] = whole(expires), id
    return { id, record, attempt, lease, expires, deadline }
end

-- Repeats a claim whose reply was lost: returns the same jobs, except those whose leases have ended since.
local function again(ids, nonce)
    local jobs = {}
    for at = 1, #ids, 16 do
        local id = string.sub(ids, at, at + 15)
        local s = redis.call('HMGET', key.state .. id, field.state, field.lease, field.attempt, field.deadline)
        local expires = redis.call('ZSCORE', key.running, id)
        if s[1] == '4' and expires and string.find(s[2], nonce, 1, true) then
            jobs[#jobs + 1] = { id, redis.call('GET', key.job .. id), tonumber(s[3]), s[2], tonumber(expires), tonumber(s[4]) }
        end
    end
    return jobs
end

-- The state of this call. `requests`; `answers`: the jobs of each request; `nonce`: part of every lease; `serial`: how many jobs started;
-- `refused`: how many may not start; `checks`: how many lanes or entries were looked at; `memories`: the ids of each request's jobs in one
-- text; `more`: 1 when the master is to claim again at once; `stale`: the jobs that the matchers must read before that, or false.
local requests, answers, nonce = nil, {}, nil
local serial, refused, checks, memories = 0, 0, 0, {}
local more, stale = 0, false

-- Starts one job for the first request of a group that wants more. Returns its lease; nil when the job may not start.
local function give(group, id, nameNo, record, bk, be, fresh)
    while #answers[group.members[group.member]] >= requests[group.members[group.member]].limit do
        group.member = group.member + 1
    end
    local at = group.members[group.member]
    local job = record and start(id, nameNo, record, requests[at], nonce .. string.format('%x', serial + 1), bk, be, fresh)
    if not job then
        refused = refused + 1
        return nil
    end
    serial = serial + 1
    group.wanted = group.wanted - 1
    local answer = answers[at]
    answer[#answer + 1] = job
    memories[at] = (memories[at] or '') .. id
    return job[4]
end

-- Starts jobs of a name that carry no buckets, by matchers of epoch `be`.
local function giveAll(group, ids, nameNo, be)
    local jobs, states = {}, {}
    for i, id in ipairs(ids) do
        jobs[i], states[i] = key.job .. id, key.state .. id
    end
    local records = redis.call('MGET', unpack(jobs))
    local fresh = redis.call('EXISTS', unpack(states)) == 0
    for i, id in ipairs(ids) do
        give(group, id, nameNo, records[i], '', be, fresh)
    end
end

-- Starts jobs of a lane without buckets, as long as they come before `bound`.
local function givePlain(group, lane, best, bound)
    local ids = popPlain(lane, best, group.wanted, bound)
    if not ids[1] then
        redis.call('ZREM', key.ready, best.member) -- an entry without a job: invariant I2 is broken, and fsck reports it
        return
    end
    local info = laneInfo(lane)
    giveAll(group, ids, info[1], info[3])
end

-- Serves a group that asks for one name while no matcher was ever made: all its jobs are in the name's plain lane, so no index has to be
-- asked for the best one. Returns whether it has to stop earlier.
local function serveName(group)
    local lane = knownNumber(group.names[1])
    while lane and group.wanted > 0 do
        if refused >= limit.items then
            return true
        end
        local popped = redis.call('ZPOPMIN', key.lane .. lane, group.wanted)
        if not popped[1] then
            return false
        end
        local ids = {}
        for i = 1, #popped, 2 do
            ids[#ids + 1] = popped[i]
        end
        count(field.totals.ready, -#ids)
        laneMoved(lane, popped[1], popped[2])
        giveAll(group, ids, lane, 0)
        settleLanes()
    end
    return false
end

-- Takes the first jobs of a lane with buckets out of it. `others`: the caller knows that it has other jobs.
local function leaveLane(lane, nameNo, ids, others)
    redis.call('ZREM', key.lane .. lane, unpack(ids))
    listRemove(nameNo, ids, others)
    count(field.totals.ready, -#ids)
end

-- The record of the job at a place in `queue`, {id, score, …}. It is read ahead into `records`, with those of the next jobs: each time
-- twice as many, as the buckets may admit only a few.
local function recordAt(queue, at, records)
    if records[at] == nil then
        local ahead, keys = records.ahead or 1, {}
        records.ahead = 2 * ahead
        for i = 1, ahead do
            local id = queue[at + 2 * (i - 1)]
            keys[i] = id and key.job .. id
        end
        for i, record in ipairs(redis.call('MGET', unpack(keys))) do
            records[at + 2 * (i - 1)] = record
        end
    end
    return records[at]
end

-- Starts up to `most` jobs of `queue`, the first jobs of a lane. Meanwhile the lane has no entry in an index. It stops when a bucket does
-- not admit the next job, when the next job does not come before `bound`, or when a start may have opened other buckets. Returns the place
-- of the next job in `queue`, and what holder() said of it; nil when a job could not start, because lanes may have changed then.
local function startLimited(group, lane, info, queue, most, bound, observed)
    local bk, at, left, records, b, cost, opens = cmsgpack.pack(info[4]), 1, {}, {}, nil, nil, nil
    repeat
        for _, watching in ipairs(observed or {}) do
            add(watching, field.bucket.would, 1)
        end
        local id, next_, score = queue[at], queue[at + 2], tonumber(queue[at + 3])
        left[#left + 1] = id
        laneCounted(lane, -1, { 0, id })
        local lease = give(group, id, info[1], recordAt(queue, at, records), bk, info[3])
        if not lease then
            leaveLane(lane, info[1], left, next_)
            return nil
        end
        charge(info[4], id, lease)
        at = at + 2
        if at > 2 * most or not next_ or info[5] or unsettled() or checks >= limit.lane_checks
            or bound and standsBefore(bound.score, bound.order, score, next_) then
            break
        end
        checks = checks + 1
        b, cost, opens, observed = holder(info)
    until b
    leaveLane(lane, info[1], left, queue[at])
    return at, b, cost, opens
end

-- Serves a lane with buckets: either all buckets admit its first job, which starts and is charged to them, or the lane waits at the one
-- that does not. At most `most` jobs start, all of which come before `bound`. `indexed`: the lane itself is in the ready indexes.
local function giveLimited(group, lane, info, first, score, indexed, most, bound)
    checks = checks + 1
    local b, cost, opens, observed = holder(info)
    if indexed then
        indexDrop(info[1], memberOf(lane, info, first), info[5])
    end
    if b then
        park(lane, info, first, score, b, cost, opens)
        return
    end
    local queue = redis.call('ZRANGE', key.lane .. lane, 0, most, 'WITHSCORES')
    local at
    if queue[1] == first then
        at, b, cost, opens = startLimited(group, lane, info, queue, most, bound, observed)
    end
    if not at then
        laneMoved(lane, first, score)
        settleBuckets()
        return
    end
    local nextFirst, nextScore = queue[at], queue[at + 1]
    if not nextFirst then
        nextFirst, nextScore = lanePeek(lane)
    end
    if not nextFirst then
        laneEmptied(lane, info)
    else
        if not b then
            b, cost, opens = holder(info)
        end
        if b then
            park(lane, info, nextFirst, nextScore, b, cost, opens)
        else
            indexPut(info[1], newMember(lane, info, nextFirst), nextScore, info[5])
        end
    end
    settleBuckets()
end

-- Puts into `stale` the first jobs of a stale lane and of other stale lanes that are next. The master has the matchers read them and claims
-- again. Returns whether there are such jobs.
local function giveBack(names, lane, fair)
    local lanes, known, index, looked = { { lane } }, { [lane] = true }, fair and key.ready_in_turn or key.ready, 0
    local function addFrom(itsKey)
        local members = redis.call('ZRANGE', itsKey, 0, limit.read_lanes - 1)
        looked = looked + 1 + #members
        for _, member in ipairs(members) do
            local other = string.sub(untagged(member, fair), 17)
            local info = string.find(other, '^[cf%d]') and not known[other] and #lanes < limit.read_lanes and laneInfo(other)
            if info and info[3] ~= epoch then
                lanes[#lanes + 1], known[other] = { other }, true
            end
        end
    end
    if redis.call('ZCARD', key.lane .. lane) < limit.read_jobs then
        if not names[1] then
            addFrom(index)
        end
        for _, name in ipairs(names) do
            if looked < limit.read_lanes and nameNumbers[name] then
                addFrom(index .. ':' .. nameNumbers[name])
            end
        end
    end
    local pieces = piecesOf(lanes)
    if pieces[1] then
        stale, more = pieces, 1
    end
    return pieces[1]
end

-- Serves an entry of a bucket: the first lane of its group is served. Then the group gets an entry for its next lane, if the bucket still
-- admits one.
local function serveBucket(group, best, place_)
    local id, group_ = string.match(place_, '^b([^|]+)|(.*)$')
    local waiting = key.bucket_waiting .. id .. '|' .. group_
    local waiter = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    local b = bucketOf(id)
    checks = checks + 1
    indexDrop(string.match(group_, '^%d+'), best.member, best.fair)
    redis.call('HSET', key.bucket_groups .. id, group_, '')
    if waiter[1] then
        local order = untagged(waiter[1], best.fair)
        local lane = string.sub(order, 17)
        redis.call('ZREM', waiting, waiter[1])
        redis.call('HDEL', key.parked, lane)
        local info = laneInfo(lane)
        if info[3] == epoch then
            giveLimited(group, lane, info, string.sub(order, 1, 16), waiter[2], false, 1, nil)
        else
            indexPut(info[1], waiter[1], waiter[2], best.fair)
        end
    end
    lookAtGroup(b, group_)
end

-- Serves an entry of a lane. Returns whether the call has to end because the matchers must read the lane's jobs first.
local function serveLane(group, best, lane, bound, fairest)
    local info = laneInfo(lane)
    if not info then
        redis.call('ZREM', best.fair and key.ready_in_turn or key.ready, best.member) -- the lane is gone: invariant I2 is broken
    elseif info[3] ~= epoch then
        if stale or giveBack(group.names, lane, best.fair) then -- once in a call
            return true
        end
        indexDrop(info[1], best.member, best.fair) -- the lane has no jobs: invariant I2 is broken
    elseif info[4][1] then
        -- With lanes that take turns, each start may change which lane is first, so jobs are started one at a time.
        local most = fairest and 1 or math.min(group.wanted, limit.items)
        giveLimited(group, lane, info, string.sub(best.order, 1, 16), best.score, true, most, bound)
    else
        givePlain(group, lane, best, bound)
    end
    return false
end

-- Serves a group of requests until it has all it wants or nothing is left for it. Returns whether it has to stop earlier.
local function serve(group)
    while group.wanted > 0 do
        if refused >= limit.items or checks >= limit.lane_checks or halfOpened then
            return true
        end
        local best, bound, fairest = bestEntries(group.names)
        if not best then
            return false
        end
        local turns = not fairest or inTurn(fairest[1], fairest[2])
        if turns and fairest and not best.fair and not wouldStart(fairest[1]) then
            best = { member = fairest[1], order = untagged(fairest[1], true), score = fairest[2], fair = true }
        end
        local place_ = string.sub(best.order, 17)
        local kind = string.sub(place_, 1, 1)
        if not turns then
            checks = checks + 1
        elseif kind == 'b' then
            serveBucket(group, best, place_)
        elseif kind == 'm' then
            checks = checks + 1
            lookAtBest(string.match(place_, '^m(.*)|(%d+)$'))
        elseif serveLane(group, best, place_, bound, fairest) then
            return true
        end
        settleLanes()
    end
    return false
end

-- Groups requests with the same names, which are served together in their order. A group is {names, wanted: how many jobs in all, members:
-- places of its requests, member: which of these gets the next job}.
local function groupsOf()
    local groups, order = {}, {}
    for i, request in ipairs(requests) do
        local group = groups[request.key]
        if not group then
            group = { names = request.names, wanted = 0, members = {}, member = 1 }
            groups[request.key] = group
            order[#order + 1] = group
        end
        if request.limit > 0 then
            group.wanted = group.wanted + request.limit
            group.members[#group.members + 1] = i
        end
        answers[i] = {}
    end
    return order
end

-- `wanted`: a list of {worker, limit, lease_ms, token, names, key: the names as one text}. Returns the jobs of each request; whether to
-- claim again at once (0 or 1); and the jobs that the matchers must read before that, or false.
local function claimAll(wanted, engine, slot, itsNonce)
    requests, nonce = wanted, itsNonce
    local memory = key.nonce .. engine .. ':' .. slot
    local known = redis.call('GET', memory)
    if known then
        known = cmsgpack.unpack(known)
        if known[1] == nonce then
            for i = 1, #requests do
                answers[i] = again(known[2][i] or '', nonce)
            end
            return answers, 0
        end
    end
    local order = groupsOf()
    settleLanes()
    if epoch > 0 and (wakeBuckets(now, limit.buckets_looked) or reopenMore()) then
        return answers, 1, false -- more buckets have opened than this call can look at, and the best job may wait at one of them
    end
    halfOpened = false
    for _, group in ipairs(order) do
        if (epoch == 0 and #group.names == 1 and serveName or serve)(group) then
            more = 1
        end
    end
    if serial > 0 then
        redis.call('ZADD', key.running, unpack(started))
        count(field.totals.started, serial)
        local ids = {}
        for i = 1, #requests do
            ids[i] = memories[i] or ''
        end
        redis.call('SET', memory, cmsgpack.pack({ nonce, ids }), 'PX', limit.nonce_ms)
    end
    return answers, more, stale
end
