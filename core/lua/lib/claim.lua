-- Takes the best jobs for one set of names: those with the smallest (priority, id) among the lanes it accepts. Every round takes at
-- least one job, so there are at most `wanted` rounds.

-- Pops from the best lane while its jobs stand before (bound id, bound score), which may be nothing.
local function popBest(lid, wanted, boundId, boundScore)
    local lane = P .. 'lane:' .. lid
    local n = wanted
    if boundId and wanted > 1 then
        local first = redis.call('ZRANGE', lane, 0, wanted - 1, 'WITHSCORES')
        n = 1
        while n < #first / 2 do
            local id, score = first[2 * n + 1], tonumber(first[2 * n + 2])
            if score > boundScore or (score == boundScore and id > boundId) then
                break
            end
            n = n + 1
        end
    end
    local popped = redis.call('ZPOPMIN', lane, n)
    local ids = {}
    for i = 1, #popped, 2 do
        ids[#ids + 1] = popped[i]
    end
    count('ready', -#ids)
    return ids
end

local function takeAny(wanted, taken)
    while #taken < wanted do
        local best = redis.call('ZRANGE', READY_INDEX, 0, 1, 'WITHSCORES')
        if not best[1] then
            return
        end
        local headId, lid = string.sub(best[1], 1, 16), string.sub(best[1], 17)
        local ids = popBest(lid, wanted - #taken, best[3] and string.sub(best[3], 1, 16), tonumber(best[4]))
        redis.call('ZREM', READY_INDEX, best[1])
        laneMoved(lid, nil, nil)
        if not ids[1] then
            return -- an entry without a job: I2 is broken and fsck will say so; the entry is gone now
        end
        for _, id in ipairs(ids) do
            taken[#taken + 1] = { id, lid }
        end
    end
end

local function takeNamed(names, wanted, taken)
    local heads = {}
    for _, name in ipairs(names) do
        local lid = redis.call('HGET', P .. 'lanes', name)
        if lid then
            local id, score = lanePeek(lid)
            if id then
                heads[#heads + 1] = { lid = lid, id = id, score = score, order = tonumber(score) }
            end
        end
    end
    local function before(a, b)
        return a.order < b.order or (a.order == b.order and a.id < b.id)
    end
    while #taken < wanted and heads[1] do
        local best, second
        for _, h in ipairs(heads) do
            if not best or before(h, best) then
                best, second = h, best
            elseif h.lid ~= best.lid and (not second or before(h, second)) then
                second = h
            end
        end
        local ids = popBest(best.lid, wanted - #taken, second and second.id, second and second.order)
        laneMoved(best.lid, best.id, best.score)
        for _, id in ipairs(ids) do
            taken[#taken + 1] = { id, best.lid }
        end
        best.id, best.score = lanePeek(best.lid)
        best.order = tonumber(best.score)
        if not best.id then
            for i = #heads, 1, -1 do
                if heads[i].lid == best.lid then
                    table.remove(heads, i)
                end
            end
        end
    end
end

local started = {} -- {expires, id, …}: put into the running set together

-- What is special of a job may not let it start now: it is too old, or its window has closed. Then it goes where it belongs.
local function mayStart(id, h, ex, attempt)
    local s = readInto({ st = ST_READY, ex = ex }, id, SPECIAL_FIELDS)
    if special(s, WINDOWS) then
        redis.call('ZREM', P .. 'wclose', id)
    end
    if special(s, EXPIRES) and attempt == 1 then
        if tonumber(s.xp) <= now then
            endUnstarted(id, h, s, ST_FAILED, 'expired', 'It was not started in time.')
            return false
        end
        redis.call('ZREM', EXPIRING, id)
    end
    if special(s, WINDOWS) and not windowAt(id, now) then
        place(id, h, s, now)
        return false
    end
    if s.un == 's' then
        freeUnique(id, s)
    end
    return true
end

-- ready → running, for `request` {worker, lease_ms}. Returns what the worker gets: id, record, attempt, lease, expires, deadline; or
-- nothing when it may not start.
local function start(id, lid, record, request, secret)
    local h = head(record)
    local state = P .. 's:' .. id
    local before = redis.call('HMGET', state, 'a', 'ex', 'rt')
    local attempt = tonumber(before[1] or 0) + 1
    if before[2] and before[2] ~= '' and not mayStart(id, h, before[2], attempt) then
        return nil
    end
    Stats.started(lid, id, before[3])
    local lease = attempt .. '.' .. secret
    local deadline = now + h.timeout
    local lease_ms = request.lease_ms == 0 and h.timeout or math.min(request.lease_ms, h.timeout)
    local expires = now + lease_ms
    if attempt > 1 then
        redis.call('HDEL', state, 'hb', 'cx', 'ra', 'rt', 'pgd', 'pgt', 'pgm')
    end
    if h.keep then
        redis.call('HSET', state, 'st', ST_RUNNING, 'a', attempt, 'l', lease, 'w', request.worker, 't', now, 'dl', deadline,
            'lm', lease_ms, 'ln', lid, 'k', resultTtl(h))
    else
        redis.call('HSET', state, 'st', ST_RUNNING, 'a', attempt, 'l', lease, 'w', request.worker, 't', now, 'dl', deadline,
            'lm', lease_ms, 'ln', lid)
    end
    started[#started + 1], started[#started + 2] = expires, id
    return { id, record, attempt, lease, expires, deadline }
end

-- A claim call that was carried out, and whose reply was lost: the same jobs, as long as their leases are still these.
local function again(ids, nonce)
    local jobs = {}
    for at = 1, #ids, 16 do
        local id = string.sub(ids, at, at + 15)
        local s = redis.call('HMGET', P .. 's:' .. id, 'st', 'l', 'a', 'dl')
        local expires = redis.call('ZSCORE', RUNNING, id)
        if s[1] == '4' and expires and string.find(s[2], nonce, 1, true) then
            jobs[#jobs + 1] = { id, redis.call('GET', P .. 'j:' .. id), tonumber(s[3]), s[2], tonumber(expires), tonumber(s[4]) }
        end
    end
    return jobs
end

-- `requests`: list of {worker, limit, lease_ms, names}. Requests with the same names are served together, in their order.
local function claimAll(requests, engine, slot, nonce)
    local memory = P .. 'nonce:' .. engine .. ':' .. slot
    local known = redis.call('GET', memory)
    local answers = {}
    if known then
        known = cmsgpack.unpack(known)
        if known[1] == nonce then
            for i = 1, #requests do
                answers[i] = again(known[2][i] or '', nonce)
            end
            return answers, 0
        end
    end
    local groups, order = {}, {}
    for i, request in ipairs(requests) do
        local group = groups[request.key]
        if not group then
            group = { names = request.names, wanted = 0, members = {} }
            groups[request.key] = group
            order[#order + 1] = group
        end
        group.wanted = group.wanted + request.limit
        group.members[#group.members + 1] = i
        answers[i] = {}
    end
    settleLanes()
    local serial, refused, memories = 0, 0, {}

    -- Starts what it takes; whether there may be more to take.
    local function serve(group)
        local taken = {}
        if group.names[1] then
            takeNamed(group.names, group.wanted, taken)
        else
            takeAny(group.wanted, taken)
        end
        if not taken[1] then
            return false
        end
        local keys = {}
        for i, job in ipairs(taken) do
            keys[i] = P .. 'j:' .. job[1]
        end
        local records = redis.call('MGET', unpack(keys))
        local full = #taken == group.wanted
        for i, job in ipairs(taken) do
            while #answers[group.members[group.member]] >= requests[group.members[group.member]].limit do
                group.member = group.member + 1
            end
            local at = group.members[group.member]
            local job_ = records[i] and start(job[1], job[2], records[i], requests[at], nonce .. string.format('%x', serial + 1))
            if job_ then
                serial = serial + 1
                group.wanted = group.wanted - 1
                local answer = answers[at]
                answer[#answer + 1] = job_
                memories[at] = (memories[at] or '') .. job[1]
            else
                refused = refused + 1
            end
        end
        settleLanes()
        return full and group.wanted > 0
    end

    local more = 0
    for _, group in ipairs(order) do
        group.member = 1
        while serve(group) do
            if refused >= limit.items then
                more = 1
                break
            end
        end
    end
    if serial > 0 then
        redis.call('ZADD', RUNNING, unpack(started))
        count('started', serial)
        local ids = {}
        for i = 1, #requests do
            ids[i] = memories[i] or ''
        end
        redis.call('SET', memory, cmsgpack.pack({ nonce, ids }), 'PX', limit.nonce_ms)
    end
    return answers, more
end
