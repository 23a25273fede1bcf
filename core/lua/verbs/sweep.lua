#!lua flags=allow-oom
-- What is due by now, at most `limit.items` of each: transitions 3 (`promote`), 11 (`expire-lease`), 20 (`purge`), 21 (`free-dependents`),
-- 22 (`expire-job`), 23 (`close-window`) and 24 (`end-cancelled`). Any master may call it at any time.
-- KEYS[1] prefix. ARGV: engine, jitter.
-- Reply: now, transaction, expired, promoted, purged, more (0 or 1), next due (ms, 0: none), names that became ready, ids that
-- became final, ids whose windows run out.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt
-- include page
-- include purge
-- include closing
-- include follow
-- include series

redis.call('HSETNX', key.meta, field.meta.layout, limit.layout)
redis.call('ZADD', key.engines, now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', key.engines, '-inf', now - limit.engine_ms)

local more = 0

local function due(key)
    local ids = redis.call('ZRANGEBYSCORE', key, '-inf', now, 'LIMIT', 0, limit.items)
    if #ids == limit.items then
        more = 1
    end
    return ids
end

local expired = due(key.running)
for i, id in ipairs(expired) do
    local s = readState(id)
    if not s or s.state ~= ST_RUNNING then
        redis.call('ZREM', key.running, id) -- I1 is broken: fsck will say so, the sweep goes on
    else
        readAttempt(id, s)
        -- A lease shorter than the attempt that ran out without a sign of life: three of these in a row are poison.
        local silent = not s.heard and now < tonumber(s.deadline) and tonumber(s.silent or 0) + 1 or 0
        local poison = silent >= limit.poison_expiries
        local h = readHead(id)
        local again = not poison and tonumber(s.failures or 0) + 1 <= h.retries
        local message = now >= tonumber(s.deadline) and 'The attempt took longer than its timeout.'
            or 'The lease ran out without a heartbeat.'
        fail(id, s, s.lease, { type = 'e', how = 'timeout', reason = poison and 'poison' or 'timeout',
            object = failureObject('timeout', again, message), message = message, retry = again, after_ms = 0,
            jitter = (tonumber(ARGV[2]) + i * 0.618) % 1, silent = silent })
        count(field.totals.expired, 1)
    end
end

local unanswered = due(key.awaiting)
for i, id in ipairs(unanswered) do
    local s = readState(id)
    local h = readHead(id)
    if not s or s.state ~= ST_AWAITING or not h then
        redis.call('ZREM', key.awaiting, id)
    else
        local again = tonumber(redis.call('HGET', key.state .. id, field.failures) or 0) + 1 <= h.retries
        local message = 'No message came in time.'
        fail(id, s, s.lease, { type = 'e', how = 'timeout', reason = 'timeout', object = failureObject('timeout', again, message),
            message = message, retry = again, after_ms = 0, jitter = (tonumber(ARGV[2]) + i * 0.618) % 1 })
        count(field.totals.expired, 1)
    end
end

local tooOld = due(key.expiring)
for _, id in ipairs(tooOld) do
    redis.call('ZREM', key.expiring, id)
    local h = readHead(id)
    local s = readState(id)
    if h and s and (s.state == ST_READY or s.state == ST_SCHEDULED or s.state == ST_DEPENDS) then
        leavePlace(id, s, h)
        endUnstarted(id, h, s, ST_FAILED, 'expired', 'It was not started in time.')
    end
end

local promoted = due(key.scheduled)
for _, id in ipairs(promoted) do
    redis.call('ZREM', key.scheduled, id)
    local h = readHead(id)
    local s = readState(id)
    if h and s and s.state == ST_SCHEDULED then
        place(id, h, s, 0)
    end
end

for _, id in ipairs(due(key.window_ends)) do
    redis.call('ZREM', key.window_ends, id)
    local h = readHead(id)
    local s = readState(id)
    if h and s and s.state == ST_READY then
        leavePlace(id, s, h)
        place(id, h, s, now)
    end
end

if followConstraints() then
    more = 1
end
cancelClosed(due(key.closing))
if epoch > 0 and (wakeBuckets(limit.items) or reopenMore()) then
    more = 1
end
forgetBuckets(due(key.idle_buckets))

if followUp(limit.items, true) then
    more = 1
end

Series.sample()
local moreToPlace = Retention.placeAgain()
local purged, morePurged = Retention.purge()
local moreGroups, moreDays = Failures.purge(), Stats.purge()
if moreToPlace or morePurged or moreGroups or moreDays then
    more = 1
end
redis.call('ZREMRANGEBYSCORE', key.results, '-inf', now)
redis.call('ZREMRANGEBYSCORE', key.idempotency, '-inf', now)
for _, group in ipairs(due(key.groups)) do
    redis.call('ZREM', key.groups, group)
    redis.call('DEL', key.group .. group)
end

local transaction = commit(ARGV[1])
local nextDue = 0
for _, key in ipairs({ key.running, key.scheduled, key.awaiting, key.expiring, key.window_ends, key.waking, key.closing }) do
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    local at = tonumber(first[2] or 0)
    if at > 0 and (nextDue == 0 or at < nextDue) then
        nextDue = at
    end
end
local names = {}
for name in pairs(becameReady) do
    names[#names + 1] = name
end
local wanted = redis.call('ZRANGEBYSCORE', key.windows_wanted, '-inf', now, 'LIMIT', 0, limit.items)
return { now, transaction, #expired + #unanswered, #promoted, purged, more, nextDue, names, becameFinal, wanted }
