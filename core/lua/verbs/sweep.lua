#!lua library=jobs flags=allow-oom
-- Does what is due by now, at most limit.items of each: transitions 3 (`promote`), 11 (`expire-lease`), 20 (`purge`), 21
-- (`free-dependents`), 22 (`expire-job`), 23 (`close-window`) and 24 (`end-cancelled`). Any master may call it at any time.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] jitter
-- Reply now, transaction, how many attempts expired, jobs were promoted, jobs were purged, whether more is due (0 or 1), next due (ms, 0:
--       none), names that got ready jobs, ids that became final, ids of jobs whose stored windows run out.
-- include base
-- include record
-- include lanes
-- include admission
-- include place
-- include state
-- include ends
-- include closing
-- include follow
-- include attempt
-- include purge
-- include sampling

local more = 0 -- 1: there may be more that is due

local function goOn(there)
    if there then
        more = 1
    end
end

local function due(set)
    local ids = redis.call('ZRANGEBYSCORE', set, '-inf', now, 'LIMIT', 0, limit.items)
    goOn(#ids == limit.items)
    return ids
end

-- Ends the attempt of a job from which no report or message came. `at` is its place in the list of such jobs, which spreads the jitter.
-- `silent`: the new count of silent expiries.
local function timeOut(at, id, s, again, message, silent, reason)
    fail(id, s, s.lease, { type = 'e', how = 'timeout', reason = reason, object = failureObject('timeout', again, message),
        message = message, retry = again, after_ms = 0, jitter = (tonumber(ARGV[2]) + at * 0.618) % 1, silent = silent })
    count(field.totals.expired, 1)
end

local function expireLease(at, id)
    local s = readState(id)
    if not s or s.state ~= ST_RUNNING then
        redis.call('ZREM', key.running, id) -- invariant I1 is broken: without this, each sweep would meet the job again
        return
    end
    readAttempt(id, s)
    -- The lease ran out before the attempt's deadline, without a heartbeat. After limit.poison_expiries of these in a row the job is
    -- poison: it is not tried again.
    local silent = not s.heard and now < tonumber(s.deadline) and tonumber(s.silent or 0) + 1 or 0
    local poison = silent >= limit.poison_expiries
    local again = not poison and tonumber(s.failures or 0) + 1 <= readHead(id).retries
    local message = now >= tonumber(s.deadline) and 'The attempt took longer than its timeout.'
        or 'The lease ran out without a heartbeat.'
    timeOut(at, id, s, again, message, silent, poison and 'poison' or 'timeout')
end

local function expireAwaiting(at, id)
    local s, h = readState(id), readHead(id)
    if not s or s.state ~= ST_AWAITING or not h then
        redis.call('ZREM', key.awaiting, id)
        return
    end
    local again = tonumber(redis.call('HGET', key.state .. id, field.failures) or 0) + 1 <= h.retries
    timeOut(at, id, s, again, 'No message came in time.', nil, 'timeout')
end

local function expireJob(id)
    redis.call('ZREM', key.expiring, id)
    local h, s = readHead(id), readState(id)
    if h and s and (s.state == ST_READY or s.state == ST_SCHEDULED or s.state == ST_DEPENDS) then
        leavePlace(id, s, h)
        endUnstarted(id, h, s, ST_FAILED, 'expired', 'It was not started in time.')
    end
end

local function promote(id)
    redis.call('ZREM', key.scheduled, id)
    local h, s = readHead(id), readState(id)
    if h and s and s.state == ST_SCHEDULED then
        place(id, h, s, 0)
    end
end

local function closeWindow(id)
    redis.call('ZREM', key.window_ends, id)
    local h, s = readHead(id), readState(id)
    if h and s and s.state == ST_READY then
        leavePlace(id, s, h)
        place(id, h, s, now)
    end
end

-- Removes what was kept long enough. Returns how many jobs it removed.
local function purge()
    goOn(Retention.placeAgain())
    local purged, morePurged = Retention.purge()
    goOn(morePurged)
    goOn(Failures.purge())
    goOn(Stats.purge())
    redis.call('ZREMRANGEBYSCORE', key.results, '-inf', now)
    redis.call('ZREMRANGEBYSCORE', key.idempotency, '-inf', now)
    for _, group in ipairs(due(key.groups)) do
        redis.call('ZREM', key.groups, group)
        redis.call('DEL', key.group .. group)
    end
    return purged
end

-- When the next of all this is due; 0: nothing is.
local function nextDue()
    local next_ = 0
    for _, set in ipairs({ key.running, key.scheduled, key.awaiting, key.expiring, key.window_ends, key.waking, key.closing }) do
        local at = tonumber(redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')[2] or 0)
        if at > 0 and (next_ == 0 or at < next_) then
            next_ = at
        end
    end
    return next_
end

redis.call('HSETNX', key.meta, field.meta.layout, limit.layout)
redis.call('ZADD', key.engines, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', key.engines, '-inf', now - limit.engine_ms)

local expired = due(key.running)
for at, id in ipairs(expired) do
    expireLease(at, id)
end
local unanswered = due(key.awaiting)
for at, id in ipairs(unanswered) do
    expireAwaiting(at, id)
end
for _, id in ipairs(due(key.expiring)) do
    expireJob(id)
end
local promoted = due(key.scheduled)
for _, id in ipairs(promoted) do
    promote(id)
end
for _, id in ipairs(due(key.window_ends)) do
    closeWindow(id)
end
goOn(followConstraints())
cancelClosed(due(key.closing))
goOn(epoch > 0 and (wakeBuckets(now, limit.items) or reopenMore()))
forgetBuckets(due(key.idle_buckets))
goOn(followUp(limit.items, true))
Series.sample()
local purged = purge()
local transaction = commit(ARGV[1], false)
local names = {}
for name in pairs(becameReady) do
    names[#names + 1] = name
end
local wanted = redis.call('ZRANGEBYSCORE', key.windows_wanted, '-inf', now, 'LIMIT', 0, limit.items)
return { now, transaction, #expired + #unanswered, #promoted, purged, more, nextDue(), names, becameFinal, wanted }
