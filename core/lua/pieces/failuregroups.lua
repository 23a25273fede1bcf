-- Groups of failures: those with the same name, reason and normalised message. A call gathers its failures and writes each group once. A
-- group's trend is two rings (rings.lua); so is that of a worker, over all groups. The state of a failed job names its group in
-- field.failure_group.
-- include rings

local Failures = { samples = 5 }
local failureGroups, failedWorkers = {}, {} -- of this call: by signature, and how many failures by worker

-- Notes one failure and returns its group's signature. `title` is the normalised message. `final`: the job is not tried again.
function Failures.note(id, name, worker, reason, title, final)
    local signature = string.sub(redis.sha1hex(name .. '\0' .. reason .. '\0' .. title), 1, 32)
    local g = failureGroups[signature]
    if not g then
        g = { name = name, reason = reason, title = title, count = 0, failed = {}, workers = {}, ids = '' }
        failureGroups[signature] = g
    end
    g.count = g.count + 1
    if worker and worker ~= '' then
        g.workers[worker] = (g.workers[worker] or 0) + 1
        failedWorkers[worker] = (failedWorkers[worker] or 0) + 1
    end
    g.ids = id .. g.ids
    if final then
        g.failed[#g.failed + 1], g.failed[#g.failed + 2] = now, id
    end
    return signature
end

-- Takes a job out of its group: it is no longer failed, or is removed.
function Failures.left(id, signature)
    if signature then
        redis.call('ZREM', key.failure_jobs .. signature, id)
    end
end

function Failures.drop(signatures)
    for _, signature in ipairs(signatures) do
        redis.call('UNLINK', key.failure_group .. signature, key.failure_trend .. signature, key.failure_jobs .. signature)
    end
    if signatures[1] then
        redis.call('ZREM', key.failure_groups, unpack(signatures))
    end
end

-- Counts n failures now in a trend.
function Failures.trend(itsKey, n)
    ringsAdd(itsKey, { { 0, 36, math.floor(now / 300000), n }, { 37, 168, math.floor(now / 3600000), n } })
end

function Failures.write(signature, g)
    local itsKey = key.failure_group .. signature
    local known = redis.call('HMGET', itsKey, field.failure_group.first, field.failure_group.state, field.failure_group.newest,
        field.failure_group.workers)
    local fields = { field.failure_group.last, now, field.failure_group.newest, string.sub(g.ids .. (known[3] or ''), 1,
        16 * Failures.samples) }
    local function set(stored, value)
        fields[#fields + 1], fields[#fields + 2] = stored, value
    end
    if not known[1] then
        local excess = redis.call('ZCARD', key.failure_groups) + 1 - limit.failure_groups
        if excess > 0 then
            Failures.drop(redis.call('ZRANGE', key.failure_groups, 0, math.min(excess, limit.items) - 1))
        end
        set(field.failure_group.name, g.name)
        set(field.failure_group.reason, g.reason)
        set(field.failure_group.title, g.title)
        set(field.failure_group.first, now)
    end
    if known[2] ~= 'o' then
        set(field.failure_group.state, 'o') -- a resolved group opens again
    end
    local workers = tonumber(known[4] or 0)
    for worker, times in pairs(g.workers) do
        local isKnown = redis.call('HEXISTS', itsKey, field.failure_group.of_worker .. worker) == 1
        if isKnown or workers < limit.failure_workers then
            workers = workers + (isKnown and 0 or 1)
            redis.call('HINCRBY', itsKey, field.failure_group.of_worker .. worker, times)
        end
    end
    set(field.failure_group.workers, workers)
    redis.call('HSET', itsKey, unpack(fields))
    redis.call('HINCRBY', itsKey, field.failure_group.count, g.count)
    if g.failed[1] then
        redis.call('HINCRBY', itsKey, field.failure_group.final, #g.failed / 2)
        redis.call('ZADD', key.failure_jobs .. signature, unpack(g.failed))
    end
    redis.call('ZADD', key.failure_groups, now, signature)
    Failures.trend(key.failure_trend .. signature, g.count)
end

function Failures.flush()
    for signature, g in pairs(failureGroups) do
        Failures.write(signature, g)
    end
    for worker, times in pairs(failedWorkers) do
        local itsKey = key.failure_worker .. redis.sha1hex(worker)
        Failures.trend(itsKey, times)
        redis.call('PEXPIRE', itsKey, limit.failure_workers_ms)
    end
    failureGroups, failedWorkers = {}, {}
end

AtCommit[#AtCommit + 1] = function()
    Failures.flush()
end
