-- Buckets: one constraint's state for one key. A bucket's id is <constraint's number>.<hash of the key>; it outlives edits of limits.
--   con hash: constraint's number → its parameters, packed by C++ · b:<bucket> hash: k key · n ready jobs in its lanes · u cost of the
--     running ones · the rest is its kind's (kinds.lua) · br:<bucket> zset(cost, id) of the running jobs that carry it ·
--   cb:<constraint> set of its buckets
-- A lane that a bucket does not admit waits there: bw:<bucket>|<n>|<cost> zset(priority, head's id and lane) of one name and cost ·
--   bg:<bucket> hash: <n>|<cost> → its member in the ready indexes, '' while the bucket does not admit the cost · parked hash: lane →
--   bucket · bc:<bucket> hash: cost → how many groups have it · cw:<constraint> zset(version, bucket) of its buckets that lanes wait at ·
--   wake zset(time, bucket): opens by itself
-- Constraint 0 holds jobs that match too many buckets: they carry its only one, and no other.
local constraints, buckets = { ['0'] = { k = 'crowd', m = 'enforce' } }, {}

local function constraintOf(number)
    local c = constraints[number]
    if c == nil then
        local packed = redis.call('HGET', P .. 'con', number)
        c = packed and cmsgpack.unpack(packed) or false
        constraints[number] = c
    end
    return c
end

local function fieldsOf(flat)
    local fields = {}
    for i = 1, #flat, 2 do
        local text = flat[i] == 'k' or flat[i] == 'rw'
        fields[flat[i]] = not text and tonumber(flat[i + 1]) or flat[i + 1]
    end
    return fields
end

-- A bucket as it stands; `key` makes it when there is none. What a constraint overrides for the key wins.
local function bucketOf(id, key)
    local b = buckets[id]
    if not b then
        local number = string.match(id, '^%d+')
        b = { id = id, c = number, con = constraintOf(number), f = fieldsOf(redis.call('HGETALL', P .. 'b:' .. id)) }
        if not b.f.k and key then
            b.f.k = key
            redis.call('HSET', P .. 'b:' .. id, 'k', key)
            redis.call('SADD', P .. 'cb:' .. number, id)
        end
        b.own = b.con and b.con.o and b.con.o[b.f.k] or {}
        buckets[id] = b
    end
    return b
end

local function param(b, name)
    local own = b.own[name]
    if own ~= nil then
        return own
    end
    return b.con[name]
end

local function add(b, field, n)
    b.f[field] = (b.f[field] or 0) + n
    redis.call('HINCRBY', P .. 'b:' .. b.id, field, n)
end

local function set(b, field, value)
    b.f[field] = value
    redis.call('HSET', P .. 'b:' .. b.id, field, value)
end

-- Constraints all of whose waiting buckets may be admitted now: reopen zset(version, constraint); cw:<constraint> has the version at which
-- each bucket was looked at last.
local reopening = {}

-- include rings
-- include kinds
-- include fair
-- Whether the bucket lets a job of this cost start now; if not, when it may (nothing: not by time alone).
local function admits(b, cost)
    if not b.con or b.con.m == 'off' then
        return true
    end
    local kind = kinds[b.con.k]
    if not kind or not kind.admits then
        return true
    end
    local ok, opens = kind.admits(b, cost)
    return ok or b.con.m ~= 'enforce', opens, not ok and b.con.m == 'observe'
end

-- The place of a bucket's waiting lanes of one name and cost in the ready indexes: they enter when it admits them, and stay until a claim
-- that meets them finds that it does not any more (else every start would move those of all names out and in again). Returns when the
-- bucket opens for those that stand in none.
local function refreshGroup(b, group, member)
    local n, cost = string.match(group, '^(%d+)|(%d+)')
    local fair = isFairGroup(group)
    local waiting = P .. 'bw:' .. b.id .. '|' .. group
    local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if not first[1] then
        if member ~= '' then
            indexDrop(n, member, fair)
        end
        redis.call('HDEL', P .. 'bg:' .. b.id, group)
        if redis.call('HINCRBY', P .. 'bc:' .. b.id, cost, -1) == 0 then
            redis.call('HDEL', P .. 'bc:' .. b.id, cost)
        end
        return
    end
    local ok, opens = admits(b, tonumber(cost))
    local wanted = (ok or member ~= '') and string.sub(first[1], 1, fair and 32 or 16) .. 'b' .. b.id .. '|' .. group or ''
    if wanted ~= member then
        if member ~= '' then
            indexDrop(n, member, fair)
        end
        redis.call('HSET', P .. 'bg:' .. b.id, group, wanted)
        if member == '' then
            becameReady[redis.call('HGET', P .. 'lane_names', n)] = true -- whoever waits for jobs of this name asks again
        end
    end
    if wanted ~= '' then
        indexPut(n, wanted, first[2], fair)
    end
    return wanted == '' and opens
end

-- The best of all who wait at a bucket, since when, and its cost: kinds.concurrency keeps units for it.
local function noteBestWaiter(b, groups)
    local head
    for i = 1, #groups, 2 do
        local first = redis.call('ZRANGE', P .. 'bw:' .. b.id .. '|' .. groups[i], 0, 0, 'WITHSCORES')
        local score = tonumber(first[2])
        local member = score and untagged(first[1], isFairGroup(groups[i]))
        if score and (not head or score < head.score or score == head.score and member < head.member) then
            head = { member = member, score = score, cost = tonumber(string.match(groups[i], '|(%d+)')) }
        end
    end
    if head and b.f.rw ~= head.member then
        set(b, 'rw', head.member)
        set(b, 'rs', now)
        set(b, 'rc', head.cost)
    elseif not head and b.f.rw then
        b.f.rw, b.f.rs, b.f.rc = nil, nil, nil
        redis.call('HDEL', P .. 'b:' .. b.id, 'rw', 'rs', 'rc')
    end
end

-- `only` names the groups that need a look besides those that stand in no index; without it all do.
local function refresh(b, only)
    local groups = redis.call('HGETALL', P .. 'bg:' .. b.id)
    if b.con and param(b, 'ra') then
        noteBestWaiter(b, groups)
    end
    local wakes
    for i = 1, #groups, 2 do
        local opens = (not only or only[groups[i]] or groups[i + 1] == '') and refreshGroup(b, groups[i], groups[i + 1])
        wakes = opens and math.min(opens, wakes or opens) or wakes -- each cost has its own time
    end
    if wakes then
        redis.call('ZADD', P .. 'wake', wakes, b.id)
    end
    if redis.call('EXISTS', P .. 'bg:' .. b.id) == 0 then
        redis.call('ZREM', P .. 'cw:' .. b.c, b.id)
        redis.call('ZREM', P .. 'wake', b.id)
    end
end

-- Buckets whose lanes may be admitted now, or no more; looked at once, by settleBuckets().
local touched, touchedOrder = {}, {}

-- `group`: only that one, and those that stand in no index ('': only these).
local function touch(b, group)
    local groups = touched[b.id]
    if not groups then
        groups = {}
        touched[b.id] = groups
        touchedOrder[#touchedOrder + 1] = b
    end
    groups[group or 'all'] = true
end

-- Looks at buckets of constraints in `reopen`, at most `budget`; whether there are more.
local function reopenBuckets(budget)
    local first = redis.call('ZRANGE', P .. 'reopen', 0, 0, 'WITHSCORES')
    while first[1] do
        local set_ = P .. 'cw:' .. first[1]
        local ids = redis.call('ZRANGEBYSCORE', set_, '-inf', '(' .. first[2], 'LIMIT', 0, budget)
        for _, id in ipairs(ids) do
            redis.call('ZADD', set_, 'XX', first[2], id)
            refresh(bucketOf(id), {})
        end
        budget = budget - #ids
        if budget <= 0 then
            return true
        end
        redis.call('ZREM', P .. 'reopen', first[1])
        first = redis.call('ZRANGE', P .. 'reopen', 0, 0, 'WITHSCORES')
    end
    return false
end

function settleBuckets()
    local groups = touched
    for _, b in ipairs(touchedOrder) do
        refresh(b, not groups[b.id].all and groups[b.id] or nil)
    end
    touched, touchedOrder = {}, {}
    if next(reopening) then
        for number in pairs(reopening) do
            redis.call('ZADD', P .. 'reopen', redis.call('INCR', P .. 'version'), number)
        end
        reopening = {}
        reopenBuckets(limit.buckets_looked)
    end
end

-- The first bucket that does not admit a lane; nothing when all do. Buckets that only observe count what they would have held.
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

-- Where a lane waits: with others of its name and cost. A bucket tells so many costs apart; one more waits with the next higher, or until
-- nothing runs.
local function groupFor(b, n, cost, fair)
    local mark = fair and 'f' or ''
    local group, classes = n .. '|' .. cost .. mark, P .. 'bc:' .. b.id
    if redis.call('HSETNX', P .. 'bg:' .. b.id, group, '') == 0 then
        return group
    elseif redis.call('HEXISTS', classes, cost) == 0 and redis.call('HLEN', classes) >= limit.bucket_costs then
        redis.call('HDEL', P .. 'bg:' .. b.id, group)
        local next_ = limit.cost_most
        for _, class in ipairs(redis.call('HKEYS', classes)) do
            class = tonumber(class)
            next_ = class > cost and class < next_ and class or next_
        end
        group, cost = n .. '|' .. next_ .. mark, next_
        if redis.call('HSETNX', P .. 'bg:' .. b.id, group, '') == 0 then
            return group
        end
    end
    redis.call('HINCRBY', classes, cost, 1)
    return group
end

local function park(lane, info, id, score, b, cost, opens)
    local group = groupFor(b, info[1], cost, info[5])
    redis.call('ZADD', P .. 'bw:' .. b.id .. '|' .. group, score, newMember(lane, info, id))
    redis.call('HSET', P .. 'parked', lane, b.id .. '|' .. group)
    redis.call('ZADD', P .. 'cw:' .. b.c, 'NX', 0, b.id)
    if opens then
        redis.call('ZADD', P .. 'wake', 'LT', opens, b.id)
    end
    if b.con and param(b, 'ra') or redis.call('HGET', P .. 'bg:' .. b.id, group) ~= '' then
        touch(b, group) -- the time of who waits runs from now on; or there may be a better head for its entry
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
    local at = redis.call('HGET', P .. 'parked', lane)
    if not at then
        return false
    end
    local waiting = P .. 'bw:' .. at
    redis.call('ZREM', waiting, memberOf(lane, info, id))
    if newId then
        redis.call('ZADD', waiting, newScore, newMember(lane, info, newId))
    else
        redis.call('HDEL', P .. 'parked', lane)
        redis.call('HDEL', P .. 'tags', lane)
    end
    touch(bucketOf(string.match(at, '^[^|]+')), string.match(at, '|(.*)$'))
    return true
end

function laneCounted(lane, n, jobs)
    local carried = laneInfo(lane)[4]
    for i = 1, #carried, 3 do
        local b = bucketOf(carried[i], carried[i + 2])
        add(b, 'n', n)
        local kind = b.con and kinds[b.con.k]
        if kind and kind.counted then
            kind.counted(b, n, jobs)
        end
        if n < 0 and b.f.n == 0 then
            redis.call('ZADD', P .. 'bidle', now, b.id)
        end
    end
end

-- A job that carries these buckets starts: all of them are charged. `token` is unique to the start; nothing for a job that started before
-- it was given them, which counts for what runs but not for what starts.
local function charge(carried, id, token)
    for i = 1, #carried, 3 do
        local b, cost = bucketOf(carried[i], carried[i + 2]), carried[i + 1]
        redis.call('ZADD', P .. 'br:' .. b.id, cost, id)
        add(b, 'u', cost)
        local kind = b.con and kinds[b.con.k]
        if kind and kind.charge and (token or not kind.starts) then
            kind.charge(b, cost, id, token)
        end
        if b.con and param(b, 'ra') then
            touch(b, '')
        end
    end
end

-- Its attempt ended: `how` is s success, f failure, e expiry, r anything else, u it surely never reached a worker (what was taken of a rate
-- comes back). `after_ms` is the retry_after of a failure.
local function uncharge(s, id, how, after_ms)
    if not s.bk or s.bk == '' then
        return
    end
    if how == 'u' and redis.call('HGET', P .. 's:' .. id, 'rc') then
        how = 'r' -- it carries other buckets than it was started with: what it took of them is not known any more
    end
    local carried = cmsgpack.unpack(s.bk)
    for i = 1, #carried, 3 do
        local b, cost = bucketOf(carried[i], carried[i + 2]), carried[i + 1]
        if redis.call('ZREM', P .. 'br:' .. b.id, id) == 1 then
            add(b, 'u', -cost)
            local kind = b.con and kinds[b.con.k]
            if kind and kind.uncharge then
                kind.uncharge(b, cost, id, how, after_ms or 0, s.l, tonumber(s.t or 0))
            end
            touch(b, '')
            if b.f.u == 0 and (b.f.n or 0) == 0 then
                redis.call('ZADD', P .. 'bidle', now, b.id)
            end
        end
    end
end

-- Buckets that opened by themselves by now, at most `budget` of them; whether there are more.
local function wakeBuckets(budget)
    local due = redis.call('ZRANGEBYSCORE', P .. 'wake', '-inf', now, 'LIMIT', 0, budget)
    for _, id in ipairs(due) do
        redis.call('ZREM', P .. 'wake', id)
        refresh(bucketOf(id), {})
    end
    return #due == budget
end

-- Buckets that no job carries are forgotten, as soon as their state means nothing any more.
local function forgetBuckets(ids)
    for _, id in ipairs(ids) do
        local b = bucketOf(id)
        redis.call('ZREM', P .. 'bidle', id)
        if (b.f.u or 0) == 0 and (b.f.n or 0) == 0 then
            local kind = b.con and kinds[b.con.k]
            local at = kind and kind.idle and kind.idle(b)
            at = at and at + limit.bucket_margin_ms
            if at and at > now then
                redis.call('ZADD', P .. 'bidle', math.min(at, now + limit.bucket_idle_ms), id)
            else
                redis.call('DEL', P .. 'b:' .. id, P .. 'br:' .. id, P .. 'bs:' .. id, P .. 'bb:' .. id, P .. 'bp:' .. id,
                    P .. 'bq:' .. id)
                redis.call('SREM', P .. 'cb:' .. b.c, id)
                buckets[id] = nil
            end
        end
    end
end

-- Puts a constraint's parameters into force; '' deletes it. Its number is a text.
local function putConstraint(number, packed)
    if packed == '' then
        redis.call('HDEL', P .. 'con', number)
    else
        redis.call('HSET', P .. 'con', number, packed)
    end
    constraintChanged(number)
end
