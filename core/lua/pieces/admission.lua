-- Admission: whether a lane's buckets let its next job start, where a lane waits while one of them does not, and how buckets are charged
-- when an attempt starts and ends.
-- include lanes
-- include bucket
-- include kinds
-- include turns
-- include shelves

-- Whether jobs may run that are not charged to this bucket yet. Meanwhile it admits nothing.
local function uncharged(b)
    local kind = b.con and b.con.mode == 'enforce' and Kinds[b.con.kind]
    return kind and kind.running and charged < epoch
end

-- Returns whether the bucket lets a job of this cost start now; when it will (nil: only a change can open it, not time alone); and whether
-- the job is only let through because the constraint observes.
local function admits(b, cost)
    if not b.con or b.con.mode == 'off' then
        return true
    end
    local kind = Kinds[b.con.kind]
    if not kind or not kind.admits then
        return true
    end
    if uncharged(b) then
        return false, now + limit.charging_ms
    end
    local ok, opens = kind.admits(b, cost)
    return ok or b.con.mode ~= 'enforce', opens, not ok and b.con.mode == 'observe'
end

-- Returns whether the bucket holds jobs of this cost back, and when it opens, for those who watch. A rate that sets the pace does so in the
-- moments, too, in which it admits the next job; else it would come and go with each start.
local function holdsBack(b, cost)
    local ok, opens = admits(b, cost)
    local kind = ok and b.con and b.con.mode == 'enforce' and Kinds[b.con.kind]
    if kind and kind.paces and kind.paces(b, cost) then
        return true, now
    end
    return not ok, opens
end

-- Returns how much of the limit that holds jobs of this cost is in use, and whether that is the use of all keys together (0 or 1).
local function inUse(b, cost)
    local kind = b.con and Kinds[b.con.kind]
    local used, together
    if kind and kind.holds then
        used, together = kind.holds(b, cost)
    end
    return used or b.f.used or 0, together and 1 or 0
end

-- Puts a group, the lanes of one name and cost that wait at a bucket, where it belongs: into the ready indexes when the bucket admits it,
-- onto a shelf when it does not. A group in the ready indexes stays there until a claim finds it shut; otherwise each start would move the
-- groups of all names out and in again. `value` is the group's field in bucket_groups. Returns when the bucket opens for a group that is
-- shut (nil: not known), and whether the group is in the ready indexes.
local function refreshGroup(b, group, value)
    local nameNo, cost = string.match(group, '^(%d+)|(%d+)')
    local fair, open = isFairGroup(group), Shelf.isOpen(value)
    local first = redis.call('ZRANGE', key.bucket_waiting .. b.id .. '|' .. group, 0, 0, 'WITHSCORES')
    local member, wanted, ok, opens
    if first[1] then
        ok, opens = admits(b, tonumber(cost))
        ok = ok or open
        member = string.sub(first[1], 1, fair and 32 or 16) .. 'b' .. b.id .. '|' .. group
        wanted = ok and member or Shelf.mark(first[2], member)
    end
    if wanted ~= value then
        if open then
            indexDrop(nameNo, value, fair)
        elseif value ~= '' then
            local _, stood = Shelf.marked(value)
            Shelf.take(Shelf.of(b, group), stood)
        end
        if not wanted then
            redis.call('HDEL', key.bucket_groups .. b.id, group)
            if redis.call('HINCRBY', key.bucket_costs .. b.id, cost, -1) == 0 then
                redis.call('HDEL', key.bucket_costs .. b.id, cost)
            end
            if redis.call('EXISTS', key.bucket_groups .. b.id) == 0 then
                redis.call('ZREM', key.constraint_waiting .. b.c, b.id)
                redis.call('ZREM', key.waking, b.id)
            end
            return nil, false
        end
        redis.call('HSET', key.bucket_groups .. b.id, group, wanted)
        if not ok then
            Shelf.put(Shelf.of(b, group), member, first[2])
        elseif not open then
            becameReady[redis.call('HGET', key.names, nameNo)] = true -- workers that wait for this name claim again
        end
    end
    if ok then
        indexPut(nameNo, member, first[2], fair)
    end
    return not ok and opens or nil, ok
end

-- Notes the best job that waits at a bucket, since when, and its cost: Kinds.concurrency reserves units for it. Returns whether the best
-- job is another one than before.
local function noteBestWaiter(b, groups)
    local head
    for i = 1, #groups, 2 do
        local first = redis.call('ZRANGE', key.bucket_waiting .. b.id .. '|' .. groups[i], 0, 0, 'WITHSCORES')
        local score = tonumber(first[2])
        local member = score and untagged(first[1], isFairGroup(groups[i]))
        if score and (not head or standsBefore(score, member, head.score, head.member)) then
            head = { member = member, score = score, cost = tonumber(string.match(groups[i], '|(%d+)')) }
        end
    end
    if head and b.f.waiter ~= head.member then
        set(b, field.bucket.waiter, head.member)
        set(b, field.bucket.waiter_since, now)
        set(b, field.bucket.waiter_cost, head.cost)
        return true
    elseif not head and b.f.waiter then
        local fields = changes[b.id] or {}
        for _, stored in ipairs({ field.bucket.waiter, field.bucket.waiter_since, field.bucket.waiter_cost }) do
            b.f[stored], fields[stored] = nil, nil
        end
        redis.call('HDEL', key.bucket .. b.id, field.bucket.waiter, field.bucket.waiter_since, field.bucket.waiter_cost)
        return true
    end
    return false
end

-- Notes the time at which the bucket may open by itself.
local function wakeAt(b, at)
    redis.call('ZADD', key.waking, 'LT', at, b.id)
    opensAt(at)
end

-- Puts the groups of a bucket where they belong. `only` is a set of groups to look at, in which '' means all groups that are shut; without
-- it, all groups are looked at.
local function refresh(b, only)
    local groups = redis.call('HGETALL', key.bucket_groups .. b.id)
    local shut = not only or only['']
    if b.con and param(b, field.constraints.reserve_after) then
        shut = noteBestWaiter(b, groups) or shut -- the units that were reserved for the job before it are free again
    end
    local wakes
    for i = 1, #groups, 2 do
        local value = groups[i + 1]
        if not only or only[groups[i]] or value == '' or shut and not Shelf.isOpen(value) then
            local opens = refreshGroup(b, groups[i], value)
            wakes = opens and math.min(opens, wakes or opens) or wakes -- each cost has its own time
        end
    end
    if wakes and shut then
        redis.call('ZADD', key.waking, wakes, b.id)
        opensAt(wakes)
    elseif wakes then
        wakeAt(b, wakes)
    end
end

-- Puts one group of a bucket where it belongs, and looks at the others only if units are reserved. Returns whether the group is in the
-- ready indexes now.
local function lookAtGroup(b, group)
    if b.con and param(b, field.constraints.reserve_after) then
        refresh(b, { [group] = true })
        return Shelf.isOpen(redis.call('HGET', key.bucket_groups .. b.id, group) or '')
    end
    local value = redis.call('HGET', key.bucket_groups .. b.id, group)
    local opens, open
    if value then
        opens, open = refreshGroup(b, group, value)
    end
    if opens then
        wakeAt(b, opens)
    end
    return open
end

-- Looks at the best group of a shelf's part that a change may have opened (shelves.lua). Returns whether the group is open; nil when the
-- part is empty.
local function lookAtBest(shelf, v)
    local may, fair = key.may_open .. shelf .. '|' .. v, isFairGroup(shelf)
    local first = redis.call('ZRANGE', may, 0, 0)
    local open
    if first[1] then
        local bucket, group = string.match(untagged(first[1], fair), '^................b([^|]+)|(.*)$')
        redis.call('ZREM', may, first[1])
        redis.call('HSET', key.bucket_groups .. bucket, group, '')
        open = lookAtGroup(bucketOf(bucket), group)
    end
    Shelf.lead(shelf, v, redis.call('HGET', key.may_open_parts .. shelf, v) or nil)
    return open
end

-- Buckets that may admit other lanes now than before. settleBuckets() looks at each of them once.
local touched, touchedOrder = {}, {}

-- Notes a bucket to look at. `group`: only that group ('': all groups that are shut); nil: all groups.
local function touch(b, group)
    local groups = touched[b.id]
    if not groups then
        groups = {}
        touched[b.id] = groups
        touchedOrder[#touchedOrder + 1] = b
    end
    groups[group or 'all'] = true
end

local halfOpened = false -- true: a change has more shelves than this call could open, and the best job may be on one of them

-- A constraint changed: on each of its shelves, the best groups are looked at until one is open, and workers that wait for that name claim
-- again. They also claim again when the bound on this work is reached before an open group is found.
local function reopen(number)
    local changed, more = Shelf.change(number)
    if more then
        halfOpened = true
        opensAt(now) -- this hint makes a master sweep at once, which goes on with the change
    end
    local budget = more and 0 or limit.buckets_looked
    for i = 1, #changed, 2 do
        local open = false
        while open == false and budget > 0 do
            open, budget = lookAtBest(changed[i], changed[i + 1]), budget - 1
        end
        if open == false then
            becameReady[redis.call('HGET', key.names, string.match(changed[i], '|(%d+)f?$'))] = true
        end
    end
end

-- Goes on with a change that has more shelves than one call can open. Returns whether some are still left.
local function reopenMore()
    local number = redis.call('SRANDMEMBER', key.reopening)
    if number then
        reopen(number)
    end
    return number and redis.call('EXISTS', key.reopening) == 1
end

-- Whether this call did something that may let lanes start that wait at other buckets.
local function unsettled()
    return touchedOrder[1] ~= nil or next(reopening) ~= nil
end

function settleBuckets()
    local groups = touched
    for _, b in ipairs(touchedOrder) do
        refresh(b, not groups[b.id].all and groups[b.id] or nil)
    end
    touched, touchedOrder = {}, {}
    local changed = reopening
    reopening = {}
    for number in pairs(changed) do
        reopen(number)
    end
end

-- Returns the first bucket that does not admit a lane, the job's cost there and when it opens; nil when all admit it. The fourth value
-- lists the buckets that only observe and would have held the job.
local function holder(info)
    local carried = info[4]
    local observed
    for i = 1, #carried, 3 do
        local b = bucketOf(carried[i], carried[i + 2])
        local ok, opens, would = admits(b, carried[i + 1])
        if not ok then
            return b, carried[i + 1], opens
        elseif would then
            observed = observed or {}
            observed[#observed + 1] = b
        end
    end
    return nil, nil, nil, observed
end

-- Returns the group in which a lane waits, and whether that group is new. Lanes of the same name and cost wait together. A bucket keeps
-- groups for at most limit.bucket_costs different costs; a lane of one more cost joins the group of the next higher cost, or of
-- limit.cost_most, which is admitted only when nothing runs.
local function groupFor(b, nameNo, cost, fair)
    local mark = fair and 'f' or ''
    local group, classes = nameNo .. '|' .. cost .. mark, key.bucket_costs .. b.id
    if redis.call('HSETNX', key.bucket_groups .. b.id, group, '') == 0 then
        return group, false
    elseif redis.call('HEXISTS', classes, cost) == 0 and redis.call('HLEN', classes) >= limit.bucket_costs then
        redis.call('HDEL', key.bucket_groups .. b.id, group)
        local next_ = limit.cost_most
        for _, class in ipairs(redis.call('HKEYS', classes)) do
            class = tonumber(class)
            next_ = class > cost and class < next_ and class or next_
        end
        group, cost = nameNo .. '|' .. next_ .. mark, next_
        if redis.call('HSETNX', key.bucket_groups .. b.id, group, '') == 0 then
            return group, false
        end
    end
    redis.call('HINCRBY', classes, cost, 1)
    return group, true
end

-- Lets a lane whose head is `id` wait at the bucket that does not admit it.
local function park(lane, info, id, score, b, cost, opens)
    local group, new = groupFor(b, info[1], cost, info[5])
    local member = newMember(lane, info, id)
    redis.call('ZADD', key.bucket_waiting .. b.id .. '|' .. group, score, member)
    redis.call('HSET', key.parked, lane, b.id .. '|' .. group)
    if opens then
        wakeAt(b, opens)
    end
    local entry = string.sub(member, 1, info[5] and 32 or 16) .. 'b' .. b.id .. '|' .. group
    if new then
        redis.call('ZADD', key.constraint_waiting .. b.c, 'NX', 0, b.id)
        redis.call('HSET', key.bucket_groups .. b.id, group, Shelf.mark(score, entry))
        Shelf.put(Shelf.of(b, group), entry, score)
    end
    local value = not new and redis.call('HGET', key.bucket_groups .. b.id, group) or ''
    local itsScore, its = Shelf.marked(value)
    local behind = its and standsBefore(tonumber(itsScore), its, tonumber(score), entry)
    if b.con and param(b, field.constraints.reserve_after) or value ~= '' and not behind then
        touch(b, group) -- a reservation may begin now, or the group may have a better head than its entry says
    end
end

function laneOpened(lane, info, id, score)
    local b, cost, opens = holder(info)
    if not b then
        return true
    end
    park(lane, info, id, score, b, cost, opens)
    return false
end

function parkedLaneMoved(lane, info, id, newId, newScore)
    local at = redis.call('HGET', key.parked, lane)
    if not at then
        return false
    end
    local waiting = key.bucket_waiting .. at
    redis.call('ZREM', waiting, memberOf(lane, info, id))
    if newId then
        redis.call('ZADD', waiting, newScore, newMember(lane, info, newId))
    else
        redis.call('HDEL', key.parked, lane)
        laneEmptied(lane, info)
    end
    touch(bucketOf(string.match(at, '^[^|]+')), string.match(at, '|(.*)$'))
    return true
end

function laneCounted(lane, n, jobs)
    local carried = laneInfo(lane)[4]
    for i = 1, #carried, 3 do
        local b = bucketOf(carried[i], carried[i + 2])
        add(b, field.bucket.ready, n)
        local kind = b.con and Kinds[b.con.kind]
        if kind and kind.counted then
            kind.counted(b, n, jobs)
        end
        if n < 0 and b.f.ready == 0 then
            redis.call('ZADD', key.idle_buckets, now, b.id)
        end
    end
end

-- Jobs that started under buckets in this call, {cost, id, …} by the bucket's id. settleStarts() writes those of a bucket with one command.
local starting = {}

local function settleStarts()
    for id, jobs in pairs(starting) do
        redis.call('ZADD', key.bucket_running .. id, unpack(jobs))
    end
    starting = {}
end

AtCommit[#AtCommit + 1] = function()
    settleStarts()
end

-- Charges all buckets of a job that starts. `token` is unique to this start. It is nil for a job that already ran when the matchers gave it
-- these buckets: that job counts as running, but not as a start.
local function charge(carried, id, token)
    for i = 1, #carried, 3 do
        local b, cost = bucketOf(carried[i], carried[i + 2]), carried[i + 1]
        local jobs = starting[b.id] or {}
        starting[b.id] = jobs
        jobs[#jobs + 1], jobs[#jobs + 2] = whole(cost), id
        add(b, field.bucket.used, cost)
        local kind = b.con and Kinds[b.con.kind]
        if kind and kind.charge and (token or not kind.starts) then
            kind.charge(b, cost, id, token)
        end
        if b.con and param(b, field.constraints.reserve_after) then
            touch(b, '')
        end
    end
end

-- Takes back from a bucket what was charged to it for a job, which has left those that run under it.
local function giveUnits(b, cost, s, id, how, after_ms)
    add(b, field.bucket.used, -cost)
    local kind = b.con and Kinds[b.con.kind]
    if kind and kind.uncharge then
        kind.uncharge(b, cost, id, how, after_ms or 0, s.lease, tonumber(s.started or 0))
    end
    touch(b, '')
    if b.f.used == 0 and (b.f.ready or 0) == 0 then
        redis.call('ZADD', key.idle_buckets, now, b.id)
    end
end

-- Attempts that succeeded in this call and carry buckets: {{bucket, costs, states, ids}, …}, and the place of each bucket's id in it.
local succeeding, succeedingAt = {}, {}

-- Uncharges them, all of a bucket with one command; a bucket that is not charged for each of them is asked for which.
local function settleSucceeding()
    local all = succeeding
    succeeding, succeedingAt = {}, {}
    for _, of in ipairs(all) do
        local b, ids = of.bucket, of.ids
        local running = key.bucket_running .. b.id
        local charges = ids[2] and redis.call('ZMSCORE', running, unpack(ids))
        local removed = redis.call('ZREM', running, unpack(ids))
        for i, id in ipairs(ids) do
            if charges and charges[i] or not charges and removed == 1 then
                giveUnits(b, of.costs[i], of.states[i], id, 's')
            end
        end
    end
end

-- Notes that an attempt succeeded; settleSucceeding() takes back what it was charged.
local function unchargeSuccess(s, id)
    if not s.buckets or s.buckets == '' then
        return
    end
    local carried = carriedIn(s.buckets)
    for i = 1, #carried, 3 do
        local at = succeedingAt[carried[i]]
        if not at then
            at = #succeeding + 1
            succeeding[at] = { bucket = bucketOf(carried[i], carried[i + 2]), costs = {}, states = {}, ids = {} }
            succeedingAt[carried[i]] = at
        end
        local of = succeeding[at]
        local n = #of.ids + 1
        of.costs[n], of.states[n], of.ids[n] = carried[i + 1], s, id
    end
end

-- Takes back from all buckets of a job what is charged while its attempt runs. `how` says how the attempt ended: s success, f failure,
-- e expiry, r anything else, u it certainly never reached a worker (then a rate gets its start back). `after_ms` is a failure's
-- retry_after.
local function uncharge(s, id, how, after_ms)
    if not s.buckets or s.buckets == '' then
        return
    end
    settleSucceeding() -- they ended before
    settleStarts()
    if how == 'u' and redis.call('HGET', key.state .. id, field.uncertain) then
        how = 'r' -- its buckets are not those it was started with: what it took from them is not known any more
    end
    local carried = carriedIn(s.buckets)
    for i = 1, #carried, 3 do
        local b, cost = bucketOf(carried[i], carried[i + 2]), carried[i + 1]
        if redis.call('ZREM', key.bucket_running .. b.id, id) == 1 then
            giveUnits(b, cost, s, id, how, after_ms)
        end
    end
end

-- Looks at buckets whose opening time comes until `at`, at most `budget` of them. Returns whether there may be more.
local function wakeBuckets(at, budget)
    local due = redis.call('ZRANGEBYSCORE', key.waking, '-inf', at, 'LIMIT', 0, budget)
    for _, id in ipairs(due) do
        redis.call('ZREM', key.waking, id)
        refresh(bucketOf(id), { [''] = true })
    end
    return #due == budget
end

-- Deletes those of these buckets that no job carries and whose state has no effect any more.
local function forgetBuckets(ids)
    for _, id in ipairs(ids) do
        local b = bucketOf(id)
        redis.call('ZREM', key.idle_buckets, id)
        if (b.f.used or 0) == 0 and (b.f.ready or 0) == 0 then
            local kind = b.con and Kinds[b.con.kind]
            local at = kind and kind.idle and kind.idle(b)
            at = at and at + limit.bucket_margin_ms
            if at and at > now then
                redis.call('ZADD', key.idle_buckets, math.min(at, now + limit.bucket_idle_ms), id)
            else
                local kept = { key.bucket .. id, key.bucket_running .. id }
                for _, each in pairs(Kinds) do
                    for _, its in ipairs(each.keeps or {}) do
                        kept[#kept + 1] = P .. its .. id
                    end
                end
                redis.call('DEL', unpack(kept))
                redis.call('SREM', key.constraint_buckets .. b.c, id)
                buckets[id], changes[id] = nil, nil
            end
        end
    end
end

-- Puts a constraint's parameters into force; '' deletes it. Its number is a text.
local function putConstraint(number, packed)
    if packed == '' then
        redis.call('HDEL', key.constraints, number)
    else
        redis.call('HSET', key.constraints, number, packed)
    end
    constraintChanged(number)
end
