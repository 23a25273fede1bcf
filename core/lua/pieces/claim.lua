-- Takes the best jobs for sets of names: those with the smallest (priority, id) among the lanes that a set accepts and whose buckets all
-- admit them. Each round takes a job, parks a lane or moves a job away; a call is bounded by limit.lane_checks and limit.items, and ends
-- with the first jobs that it has to give back to be read.
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
-- What comes behind is a function inside the script.
-- nest

-- The best entry that a set of names accepts in the ready indexes, {member, order, score, fair}, the one behind it, and the first
-- {member, score} of those that take turns, which may be one of the two. `order` is the member from the head's id on.
local function bestEntries(names)
    local best, second, fairest
    local function offer(member, score, fair)
        if not member then
            return
        end
        local entry = { member = member, order = untagged(member, fair), score = tonumber(score), fair = fair }
        local function before(other)
            return not other or standsBefore(entry.score, entry.order, other.score, other.order)
        end
        if before(best) then
            best, second = entry, best
        elseif before(second) then
            second = entry
        end
    end
    local function offerFair(index)
        local found = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
        local score = tonumber(found[2])
        if score and (not fairest or standsBefore(score, found[1], fairest[2], fairest[1])) then
            fairest = { found[1], score }
        end
    end
    if not names[1] then
        local found = redis.call('ZRANGE', key.ready, 0, 1, 'WITHSCORES')
        offer(found[1], found[2])
        offer(found[3], found[4])
        if epoch > 0 then
            offerFair(key.ready_in_turn)
        end
    end
    for _, name in ipairs(names) do
        local n = nameNumbers[name] or redis.call('HGET', key.name_numbers, name)
        if n then
            nameNumbers[name] = n
            local id, score = lanePeek(n)
            offer(id and id .. n, score)
            if epoch > 0 then
                local found = redis.call('ZRANGE', key.ready_of .. n, 0, 1, 'WITHSCORES')
                offer(found[1], found[2])
                offer(found[3], found[4])
                offerFair(key.ready_in_turn_of .. n)
            end
        end
    end
    if fairest then
        offer(fairest[1], fairest[2], true)
    end
    return best, second, fairest
end

-- Whether an entry of those that take turns stands where its key's time is by now; else it is put there.
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

-- Whether the first of those that take turns would start: else another of them is the first, and may go before what takes none.
local function wouldStart(member)
    local place_ = string.sub(member, 33)
    local waiting = string.match(place_, '^b(.*)$')
    local first = waiting and redis.call('ZRANGE', key.bucket_waiting .. waiting, 0, 0)[1]
    local info = (first or not waiting) and laneInfo(first and string.sub(first, 33) or place_)
    return info and info[3] == epoch and not holder(info)
end

-- Pops jobs of a lane without buckets while they stand before `bound`, which may be nothing.
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

local started = {} -- {expires, id, …}: put into the running set together

-- What is special of a job may not let it start now: it is too old, or its window has closed. Then it goes where it belongs.
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

-- ready → running, for `request` {worker, lease_ms}; `bk` are its buckets, packed, `be` the epoch at which they were read (0: no matcher
-- did). Returns what the worker gets: id, record, attempt, lease, expires, deadline; or nothing when it may not start.
local function start(id, n, record, request, secret, bk, be)
    local h = head(record)
    local state = key.state .. id
    local before = redis.call('HMGET', state, field.attempt, field.special, field.ready_since)
    local attempt = tonumber(before[1] or 0) + 1
    if before[2] and before[2] ~= '' and not mayStart(id, h, before[2], attempt) then
        return nil
    end
    Stats.started(n, id, before[3])
    local lease = attempt .. '.' .. secret
    local deadline = now + h.timeout
    local lease_ms = request.lease_ms == 0 and h.timeout or math.min(request.lease_ms, h.timeout)
    local expires = now + lease_ms
    if attempt > 1 then
        redis.call('HDEL', state, field.heard, field.cancel, field.uncertain, field.run_at, field.ready_since, field.done, field.total,
            field.progress)
    end
    local fields = { field.state, ST_RUNNING, field.attempt, attempt, field.lease, lease, field.worker, request.worker, field.started, now,
        field.deadline, deadline, field.lease_ms, lease_ms, field.number, n }
    if h.keep then
        fields[17], fields[18] = field.result_ttl, resultTtl(h)
    end
    if be > 0 then -- should it come back, nobody need read it again
        local at = #fields
        fields[at + 1], fields[at + 2], fields[at + 3], fields[at + 4] = field.buckets, bk, field.epoch, be
    end
    redis.call('HSET', state, unpack(fields))
    started[#started + 1], started[#started + 2] = expires, id
    return { id, record, attempt, lease, expires, deadline }
end

-- A claim call that was carried out, and whose reply was lost: the same jobs, as long as their leases are still these.
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

-- What this call has come to: the requests, what each gets, the nonce of the leases; how many jobs started, may not start, and how many
-- lanes were asked; the ids that each request got, in one text; whether to claim again at once, and what is to be read before that.
local requests, answers, nonce = nil, {}, nil
local serial, refused, checks, memories = 0, 0, 0, {}
local more, stale = 0, false

-- Starts one job for a group; its lease, or nothing when it may not start.
local function give(group, id, n, record, bk, be)
    while #answers[group.members[group.member]] >= requests[group.members[group.member]].limit do
        group.member = group.member + 1
    end
    local at = group.members[group.member]
    local job = record and start(id, n, record, requests[at], nonce .. string.format('%x', serial + 1), bk, be)
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

local function givePlain(group, lane, best, bound)
    local ids = popPlain(lane, best, group.wanted, bound)
    local keys = {}
    for i, id in ipairs(ids) do
        keys[i] = key.job .. id
    end
    if not keys[1] then
        redis.call('ZREM', key.ready, best.member) -- an entry without a job: I2 is broken and fsck will say so
        return
    end
    local records = redis.call('MGET', unpack(keys))
    local info = laneInfo(lane)
    for i, id in ipairs(ids) do
        give(group, id, info[1], records[i], '', info[3])
    end
end

-- Starts the first jobs of a lane, which stands nowhere meanwhile: `most` of `queue`, as long as its buckets admit them, the next one
-- stands before `bound`, and no start may have let others go. Returns the next one's place in `queue`; nothing when a job may not
-- start, which can change lanes.
local function startLimited(group, lane, info, queue, most, bound, observed)
    local bk, at, b, cost, opens = cmsgpack.pack(info[4]), 1, nil, nil, nil
    repeat
        for _, watching in ipairs(observed or {}) do
            add(watching, field.bucket.would, 1)
        end
        local id, next_, score = queue[at], queue[at + 2], tonumber(queue[at + 3])
        redis.call('ZREM', key.lane .. lane, id)
        listRemove(info[1], id, next_)
        count(field.totals.ready, -1)
        laneCounted(lane, -1, { 0, id })
        local lease = give(group, id, info[1], redis.call('GET', key.job .. id), bk, info[3])
        if not lease then
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
    return at, b, cost, opens
end

-- The lane's buckets are asked; all of them are charged, or the lane waits at one that does not admit it. At most `most` jobs
-- start, all of which stand before `bound`. `indexed`: the lane itself stands in the ready indexes.
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

-- Jobs that the matchers must read first, those of a lane and of others that are next: the master does that and claims again. Whether
-- there are any.
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

-- An entry of an open bucket: the first lane that waits there is served, and it comes back by its next one, if it still admits one.
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

-- An entry of a lane. Whether its jobs, which the matchers must read first, were given back: the call ends then.
local function serveLane(group, best, lane, bound, fairest)
    local info = laneInfo(lane)
    if not info then
        redis.call('ZREM', best.fair and key.ready_in_turn or key.ready, best.member) -- I2 is broken
    elseif info[3] ~= epoch then
        if stale or giveBack(group.names, lane, best.fair) then -- once in a call
            return true
        end
        indexDrop(info[1], best.member, best.fair) -- I2 is broken
    elseif info[4][1] then
        -- Any start may change who of those that take turns is the first, and whether he goes before the next.
        local most = fairest and 1 or math.min(group.wanted, limit.items)
        giveLimited(group, lane, info, string.sub(best.order, 1, 16), best.score, true, most, bound)
    else
        givePlain(group, lane, best, bound)
    end
    return false
end

-- Serves a group as long as there is something for it. Whether it has to stop before that.
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

-- Requests with the same names are served together, in their order: {names, how many jobs they want, the requests' places}.
local function groupsOf()
    local groups, order = {}, {}
    for i, request in ipairs(requests) do
        local group = groups[request.key]
        if not group then
            group = { names = request.names, wanted = 0, members = {}, member = 1 }
            groups[request.key] = group
            order[#order + 1] = group
        end
        group.wanted = group.wanted + request.limit
        group.members[#group.members + 1] = i
        answers[i] = {}
    end
    return order
end

-- `wanted`: list of {worker, limit, lease_ms, names, key of the names}. Returns for each what its worker gets; whether to claim again at
-- once (0 or 1); and the jobs to be read before that, or false.
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
    if epoch > 0 and (wakeBuckets(limit.buckets_looked) or reopenMore()) then
        return answers, 1, false -- more buckets opened by now: the best job may wait at one of them
    end
    halfOpened = false
    for _, group in ipairs(order) do
        if serve(group) then
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
