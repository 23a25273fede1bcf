-- fsck's checks of lanes and buckets (pieces/lanes.lua and pieces/bucket.lua explain the keys).
-- include lanes
-- include bucket
-- include kinds
-- include turns
-- include shelves
-- include admission
-- include check
-- include checkshelves

-- I13: a name and its number lead to each other.
function Check.numbered(name)
    local nameNo = Check.number(name)
    if nameNo == '' or redis.call('HGET', key.names, nameNo) ~= name then
        Check.bad('I13', 'lanes', 'a name and its number differ', function()
            nameNo = nameNo ~= '' and nameNo or tostring(redis.call('INCR', key.last_number))
            redis.call('HSET', key.name_numbers, name, nameNo)
            redis.call('HSET', key.names, nameNo, name)
        end)
    end
end

-- Moves a lane from where it waits into the ready indexes. The next claim finds out where it belongs.
function Check.unpark(lane)
    local at = redis.call('HGET', key.parked, lane)
    local id, score = lanePeek(lane)
    local info = laneInfo(lane)
    redis.call('HDEL', key.parked, lane)
    if at then
        if id then
            redis.call('ZREM', key.bucket_waiting .. at, memberOf(lane, info, id))
        end
        touch(bucketOf(string.match(at, '^[^|]+')))
    end
    if id then
        indexPut(info[1], newMember(lane, info, id), score, info[5])
    end
end

-- The cost at which a job or a lane carries a bucket; nil when it does not.
function Check.costOf(carried, bucket)
    for i = 1, #carried, 3 do
        if carried[i] == bucket then
            return carried[i + 1]
        end
    end
    return nil
end

-- Whether a lane that waits at a bucket is found there, in the group of its cost or of a higher one.
function Check.waits(lane, info, at, id, score)
    local bucket, cost = string.match(at, '^([^|]+)|%d+|(%d+)f?$')
    local carries = bucket and Check.costOf(info[4], bucket)
    return carries and carries <= tonumber(cost) and redis.call('EXISTS', key.bucket .. bucket) == 1
        and redis.call('ZSCORE', key.bucket_waiting .. at, memberOf(lane, info, id)) == score and isFairGroup(at) == (info[5] ~= nil)
        and redis.call('HEXISTS', key.bucket_groups .. bucket, string.match(at, '|(.*)$')) == 1
end

-- The ready index of all names.
function Check.index(fair)
    return fair and key.ready_in_turn or key.ready
end

-- I13, I14: a lane is listed by its epoch, and it either waits at a bucket or has its entries in the ready indexes.
function Check.lane(lane, itsKey)
    local id, score = lanePeek(lane)
    local info = laneInfo(lane)
    if info and not info[1] then
        Check.bad('I17', itsKey, 'it is no lane', function()
            redis.call('UNLINK', P .. itsKey)
        end)
        return
    elseif not info then
        Check.bad('I13', itsKey, 'what its jobs carry is lost', function() -- a new epoch: the matchers read all jobs again
            local h = Check.head(id)
            redis.call('SET', key.lane_info .. lane, cmsgpack.pack({ h and nameNumber(h.name) or '0', h and h.name or '', 0, {} }))
            redis.call('ZADD', key.lane_epochs, 0, lane)
            redis.call('HDEL', key.lane_tags, lane)
            laneInfos[lane] = nil
            epoch = redis.call('INCR', key.epoch)
            Check.unpark(lane)
        end)
        return
    end
    local plain = isPlain(lane, info[1])
    if not plain and tonumber(redis.call('ZSCORE', key.lane_epochs, lane) or -1) ~= info[3] then
        Check.bad('I13', itsKey, 'it is not known by its epoch', function()
            redis.call('ZADD', key.lane_epochs, info[3], lane)
        end)
    end
    if info[3] > epoch then
        Check.bad('I13', itsKey, 'its epoch lies ahead', function() -- a new epoch: the matchers read all jobs again
            epoch = info[3] + 1
            redis.call('SET', key.epoch, epoch)
        end)
    end
    local at = not plain and redis.call('HGET', key.parked, lane)
    if at then
        if not Check.waits(lane, info, at, id, score) then
            Check.bad('I14', itsKey, 'it is not found where it waits', function()
                Check.unpark(lane)
            end)
        end
        return
    end
    local index, member = Check.index(info[5]), memberOf(lane, info, id)
    if redis.call('ZSCORE', index, member) ~= score or not plain and redis.call('ZSCORE', index .. ':' .. info[1], member) ~= score then
        Check.bad('I14', itsKey, 'no ready index leads to it', function()
            if plain then
                redis.call('ZADD', key.ready, score, member)
            else
                indexDrop(info[1], member, info[5])
                indexPut(info[1], newMember(lane, info, id), score, info[5])
            end
        end)
    end
end

-- Checks an entry of the ready index of all names, or of one name when `of` is that name's number. `fair`: of the index of lanes that take
-- turns.
function Check.ready(name, of, member, score, fair)
    local index, order = Check.index(fair), untagged(member, fair)
    local id, place_ = string.sub(order, 1, 16), string.sub(order, 17)
    local bucket, group = string.match(place_, '^b([^|]+)|(.*)$')
    local nameNo
    local good
    if Shelf.part(place_) then
        local shelf, v = Shelf.part(place_)
        nameNo = string.match(shelf, '|(%d+)')
        local first = redis.call('ZRANGE', key.may_open .. shelf .. '|' .. v, 0, 0, 'WITHSCORES')
        good = redis.call('HGET', key.may_open_parts .. shelf, v) == member and first[2] == score
            and string.sub(untagged(first[1], fair), 1, 16) == id and isFairGroup(shelf) == (fair == true)
    elseif bucket then
        nameNo = string.match(group, '^%d+')
        local first = redis.call('ZRANGE', key.bucket_waiting .. bucket .. '|' .. group, 0, 0, 'WITHSCORES')
        good = redis.call('HGET', key.bucket_groups .. bucket, group) == member and first[2] == score
            and string.sub(untagged(first[1], fair), 1, 16) == id and isFairGroup(group) == (fair == true)
    else
        local info = laneInfo(place_)
        local head, priority = lanePeek(place_)
        nameNo = info and info[1]
        good = info and head == id and priority == score and member == memberOf(place_, info, id) and (info[5] ~= nil) == (fair == true)
            and not redis.call('HGET', key.parked, place_) and not (of and isPlain(place_, nameNo))
    end
    if not good then
        local text = bucket and 'an entry of a bucket where nothing waits so' or 'an entry that leads to no head of a lane'
        Check.bad('I14', name, text, function()
            redis.call('ZREM', index, member)
            redis.call('ZREM', index .. ':' .. (of or nameNo or ''), member)
            if bucket and redis.call('HGET', key.bucket_groups .. bucket, group) == member then
                redis.call('HSET', key.bucket_groups .. bucket, group, '')
                touch(bucketOf(bucket))
            end
            local shelf, v = Shelf.part(place_)
            if shelf and redis.call('EXISTS', key.may_open .. shelf .. '|' .. v) == 1 then
                Shelf.lead(shelf, v, redis.call('HGET', key.may_open_parts .. shelf, v) or nil)
            end
        end)
    elseif of and (nameNo ~= of or redis.call('ZSCORE', index, member) ~= score) then
        Check.bad('I14', name, 'an entry that is not among those of all names', function()
            redis.call('ZREM', index .. ':' .. of, member)
            indexPut(nameNo, member, score, fair)
        end)
    elseif not of and not (place_ == nameNo) and redis.call('ZSCORE', index .. ':' .. nameNo, member) ~= score then
        Check.bad('I14', name, 'an entry that is not among those of its name', function()
            indexPut(nameNo, member, score, fair)
        end)
    end
end

-- Checks a lane that waits at a bucket: `rest` is <bucket>|<name's number>|<cost>.
function Check.waiting(name, rest, member, score)
    local order = untagged(member, isFairGroup(rest))
    local lane = string.sub(order, 17)
    local id, priority = lanePeek(lane)
    local info = laneInfo(lane)
    if redis.call('HGET', key.parked, lane) ~= rest or id ~= string.sub(order, 1, 16) or priority ~= score
        or not info or memberOf(lane, info, id) ~= member then
        Check.bad('I14', name, 'a lane that does not wait there', function()
            redis.call('ZREM', P .. name, member)
            touch(bucketOf(string.match(rest, '^[^|]+')))
        end)
    end
end

-- Checks how many groups of waiting lanes are counted for each cost.
function Check.costs(bucket, itsKey, groups)
    local costs, flat, same = {}, {}, true
    for i = 1, #groups, 2 do
        local cost = string.match(groups[i], '|(%d+)')
        costs[cost] = (costs[cost] or 0) + 1
    end
    for cost, n in pairs(costs) do
        flat[#flat + 1], flat[#flat + 2] = cost, n
        same = same and redis.call('HGET', key.bucket_costs .. bucket, cost) == tostring(n)
    end
    if not same or redis.call('HLEN', key.bucket_costs .. bucket) ~= #flat / 2 then
        Check.bad('I14', itsKey, 'other costs are counted than wait there', function()
            redis.call('DEL', key.bucket_costs .. bucket)
            redis.call('HSET', key.bucket_costs .. bucket, unpack(flat))
        end)
    end
end

-- I14: each group of a bucket is in the ready indexes or on a shelf, and is looked at as soon as the bucket admits it. A bucket that is due
-- to be looked at is no breach.
function Check.groups(bucket, itsKey)
    local b = bucketOf(bucket)
    local function mend()
        refresh(b)
    end
    if redis.call('EXISTS', key.bucket .. bucket) == 0 then
        Check.bad('I2', itsKey, 'lanes wait at a bucket that is gone', function()
            redis.call('UNLINK', P .. itsKey, key.bucket_costs .. bucket)
        end)
        return
    end
    local known = redis.call('ZSCORE', key.constraint_waiting .. b.c, bucket)
    if not known then
        Check.bad('I14', itsKey, 'a change of its constraint would pass it by', function()
            redis.call('ZADD', key.constraint_waiting .. b.c, 'NX', 0, bucket)
        end)
    end
    local wakes = redis.call('ZSCORE', key.waking, bucket)
    local soon = now + limit.charging_ms -- buckets that were shut while running jobs were charged are looked at by then
    local looked = wakes and tonumber(wakes) <= soon or redis.call('SISMEMBER', key.reopening, b.c) == 1
    local groups = redis.call('HGETALL', P .. itsKey)
    Check.costs(bucket, itsKey, groups)
    for i = 1, #groups, 2 do
        local group, member = groups[i], groups[i + 1]
        local nameNo, cost = string.match(group, '^(%d+)|(%d+)')
        local fair = isFairGroup(group)
        local index = Check.index(fair)
        local first = redis.call('ZRANGE', key.bucket_waiting .. bucket .. '|' .. group, 0, 0, 'WITHSCORES')
        if not first[1] then
            Check.bad('I14', itsKey, 'it names lanes that do not wait', mend)
        elseif member == '' or not Shelf.isOpen(member) and not Check.shelved(b, group, member, first) then
            Check.bad('I14', itsKey, 'neither an index nor a shelf leads to its lanes', function()
                local _, stood = Shelf.marked(member)
                if stood then
                    Shelf.take(Shelf.of(b, group), stood)
                end
                redis.call('HSET', P .. itsKey, group, '')
                refresh(b)
            end)
        elseif Shelf.isOpen(member) and (member ~= string.sub(first[1], 1, fair and 32 or 16) .. 'b' .. bucket .. '|' .. group
            or redis.call('ZSCORE', index, member) ~= first[2] or redis.call('ZSCORE', index .. ':' .. nameNo, member) ~= first[2]) then
            Check.bad('I14', itsKey, 'no ready index leads to the lanes it admits', function()
                indexDrop(nameNo, member, fair)
                redis.call('HSET', P .. itsKey, group, '')
                refresh(b)
            end)
        elseif not Shelf.isOpen(member) and not looked then
            local ok, opens = admits(b, tonumber(cost))
            local _, stood = Shelf.marked(member)
            if not redis.call('ZSCORE', key.shut .. Shelf.of(b, group), stood) then
                ok = nil -- it is in a part that may have opened, which a claim looks at
            elseif ok then
                Check.bad('I14', itsKey, 'it admits lanes that still wait there', mend)
            elseif opens and not wakes and not uncharged(b) then
                Check.bad('I14', itsKey, 'nothing wakes it when it opens', mend)
            end
        end
    end
end

-- I5: a running or awaiting job is counted by every bucket that it carries.
function Check.charged(id, s)
    if not s.buckets or s.buckets == '' or (s.state ~= ST_RUNNING and s.state ~= ST_AWAITING) then
        return
    end
    local carried = cmsgpack.unpack(s.buckets)
    for i = 1, #carried, 3 do
        local bucket, cost, keyText = carried[i], carried[i + 1], carried[i + 2]
        if tonumber(redis.call('ZSCORE', key.bucket_running .. bucket, id) or -1) ~= cost then
            Check.bad('I5', bare.job .. id, 'a bucket it carries does not count it', function()
                bucketOf(bucket, keyText)
                redis.call('ZADD', key.bucket_running .. bucket, cost, id)
                Check.recount(bucket)
            end)
        end
    end
end

-- I3: a ready job is in the backlogs of the buckets that it carries.
function Check.backlogged(id, s)
    local info = s.state == ST_READY and s.lane and laneInfo(s.lane)
    for i = 1, info and #info[4] or 0, 3 do
        local bucket = info[4][i]
        local con = constraintOf(string.match(bucket, '^%d+'))
        if con and con.kind == 'backlog' and not redis.call('ZSCORE', key.backlog .. bucket, id) then
            Check.bad('I3', bare.job .. id, 'a backlog it stands in does not know it', function()
                redis.call('ZADD', key.backlog .. bucket, 0, id)
            end)
        end
    end
end

-- I2: a job in a backlog is ready and carries the bucket.
function Check.bounded(name, bucket, id)
    local con = constraintOf(string.match(bucket, '^%d+'))
    if not con or con.kind ~= 'backlog' then
        return -- the constraint was deleted: the backlog has no effect, and goes with the bucket
    end
    local s = hasJob(id) and fields(id)
    local info = s and s.state == ST_READY and s.lane and laneInfo(s.lane)
    if not info or not Check.costOf(info[4], bucket) then
        Check.bad('I2', name, 'a job that does not wait under it', function()
            redis.call('ZREM', P .. name, id)
        end)
    end
end

-- I2: a job that a window will cancel is running or awaiting, and carries a bucket of that constraint.
function Check.closing(name, member)
    local id, number = string.sub(member, 1, 16), string.sub(member, 17)
    local s = hasJob(id) and fields(id)
    local carried = s and (s.state == ST_RUNNING or s.state == ST_AWAITING) and s.buckets and s.buckets ~= ''
        and cmsgpack.unpack(s.buckets) or {}
    for i = 1, #carried, 3 do
        if string.match(carried[i], '^%d+') == number then
            return
        end
    end
    Check.bad('I2', name, 'a job that no window closes for', function()
        redis.call('ZREM', P .. name, member)
    end)
end

-- The sum of the costs of the jobs that run under a bucket; nil when they are too many for one call.
function Check.used(bucket)
    local used, running = 0, redis.call('ZRANGE', key.bucket_running .. bucket, 0, limit.members, 'WITHSCORES')
    for i = 2, #running, 2 do
        used = used + tonumber(running[i])
    end
    return #running <= 2 * limit.members and used or nil
end

-- I5: a job that a bucket counts as running, or as a probe, is running or awaiting and carries the bucket.
function Check.holds(kind, name, bucket, id, cost)
    local s = hasJob(id) and fields(id)
    local inHands = s and (s.state == ST_RUNNING or s.state == ST_AWAITING)
    local carries = inHands and s.buckets and s.buckets ~= '' and Check.costOf(cmsgpack.unpack(s.buckets), bucket)
    if kind == 'bucket_running' and carries ~= tonumber(cost) then
        Check.bad('I5', name, 'it counts a job that does not run under it', function()
            redis.call('ZREM', P .. name, id)
            Check.recount(bucket)
        end)
    elseif kind == 'breaker_probes' and not carries then
        Check.bad('I5', name, 'a probe that is not out', function()
            redis.call('SREM', P .. name, id)
            touch(bucketOf(bucket))
        end)
    end
end

-- How many ready jobs there are in the lanes of each bucket, and in all lanes; nil when there are too many lanes for one call.
function Check.readySums()
    if checking.sums == nil then
        local last = tonumber(redis.call('GET', key.last_number) or 0)
        local lanes = redis.call('ZRANGE', key.lane_epochs, 0, limit.sums)
        if last + #lanes > limit.sums then
            checking.sums = false
            return nil
        end
        for nameNo = 1, last do
            lanes[#lanes + 1] = tostring(nameNo)
        end
        local sums = { all = 0 }
        for _, lane in ipairs(lanes) do
            local ready = redis.call('ZCARD', key.lane .. lane)
            sums.all = sums.all + ready
            local carried = (laneInfo(lane) or { [4] = {} })[4]
            for i = 1, #carried, 3 do
                sums[carried[i]] = (sums[carried[i]] or 0) + ready
            end
        end
        checking.sums = sums
    end
    return checking.sums or nil
end

-- Sets a bucket's counts to what there is.
function Check.recount(bucket)
    settleLanes()
    checking.sums = nil
    local b, used, sums = bucketOf(bucket), Check.used(bucket), Check.readySums()
    if used then
        set(b, field.bucket.used, used)
    end
    if sums then
        set(b, field.bucket.ready, sums[bucket] or 0)
    end
    touch(b)
end

-- I5: a breaker has a known state, the time until which it is open, and how often in a row it opened; it has probes only while half-open.
function Check.breaker(b, itsKey)
    local state = b.f.breaker or 'c'
    local function whole()
        if state == 'c' then
            return true
        end
        return (state == 'o' or state == 'h' and tonumber(b.f.good_probes)) and tonumber(b.f.open_until) and tonumber(b.f.openings)
            and b.f.openings >= 1
    end
    if not whole() or state ~= 'h' and redis.call('EXISTS', key.breaker_probes .. b.id) == 1 then
        Check.bad('I5', itsKey, 'a breaker whose state is not whole', function()
            breakerClose(b)
            touch(b)
        end)
    end
end

-- A bucket's own counts, and whether it will be deleted when it is no longer needed.
function Check.bucket(bucket, itsKey)
    local b = bucketOf(bucket)
    if redis.call('SISMEMBER', key.constraint_buckets .. b.c, bucket) == 0 then
        Check.bad('I3', itsKey, 'its constraint does not know it', function()
            redis.call('SADD', key.constraint_buckets .. b.c, bucket)
        end)
    end
    local used = Check.used(bucket)
    if used and used ~= (b.f.used or 0) then
        Check.bad('I5', itsKey, 'it counts ' .. (b.f.used or 0) .. ' where ' .. used .. ' run', function()
            Check.recount(bucket)
        end)
    end
    if checking.repair then
        settleLanes()
        checking.sums = nil -- an earlier repair may have changed them
    end
    local sums = Check.readySums()
    if sums and (sums[bucket] or 0) ~= (b.f.ready or 0) then
        Check.bad('I1', itsKey, 'it counts other ready jobs than there are', function()
            Check.recount(bucket)
        end)
    end
    if (b.f.used or 0) == 0 and (b.f.ready or 0) == 0 and not redis.call('ZSCORE', key.idle_buckets, bucket) then
        Check.bad('I16', itsKey, 'nothing runs or waits under it, and it would never go', function()
            redis.call('ZADD', key.idle_buckets, now, bucket)
        end)
    end
    if b.con and b.con.kind == 'breaker' then
        Check.breaker(b, itsKey)
    end
    local starts = redis.call('ZRANGE', key.rate_starts .. bucket, 0, limit.members)
    if #starts <= limit.members then
        local cost = 0
        for _, member in ipairs(starts) do
            cost = cost + tonumber(string.match(member, '%d+$'))
        end
        if cost ~= (b.f.recent or 0) then
            Check.bad('I5', itsKey, 'it counts other starts than it knows of', function()
                set(b, field.bucket.recent, cost)
                touch(b)
            end)
        end
    end
end

-- I5: the totals of a constraint of kind share are the sums of its buckets.
function Check.share(number, itsKey)
    local con = constraintOf(number)
    if not con or con.kind ~= 'share' or redis.call('SCARD', key.constraint_buckets .. number) > limit.sums then
        return
    end
    local t = redis.call('HMGET', P .. itsKey, field.share.used, field.share.lacking, field.share.version)
    local used, lacking = 0, 0
    for _, bucket in ipairs(redis.call('SRANDMEMBER', key.constraint_buckets .. number, limit.sums)) do
        local b = redis.call('HMGET', key.bucket .. bucket, field.bucket.used, field.bucket.lack, field.bucket.lack_version)
        used = used + tonumber(b[1] or 0)
        lacking = lacking + (b[3] and tonumber(b[3]) == tonumber(t[3] or 0) and tonumber(b[2] or 0) or 0)
    end
    if tonumber(t[1] or 0) ~= used or tonumber(t[2] or 0) ~= lacking then
        Check.bad('I5', itsKey, 'it counts otherwise than its buckets', function()
            redis.call('HSET', P .. itsKey, field.share.used, used, field.share.lacking, lacking)
            reopening[number] = true
        end)
    end
end
