-- Failures in groups: those with the same name, reason and normalised message. Gathered during a call, written once per group.
--   fg:<signature> hash: n name · r reason · t title (the normalised message) · c failures · fc final ones · f first · l last (ms) ·
--     st o open or r resolved · ra resolved at · mu muted until · id newest jobs (16 bytes each) · wn workers known · w:<worker> failures
--   fgt:<signature> its trend: a ring of 36 five minutes at word 0 and one of 168 hours at word 37 (pieces/rings.lua)
--   fgf:<signature> zset(failed at, id) of the jobs of the group that are failed now; their s:<id> names the group in `fg`
--   fgroups zset(last, signature)
local Failures = { groups = {}, samples = 5 }

-- Notes one failure and returns its group's signature. `title` is the normalised message; `final` when the job is failed by it.
function Failures.note(id, name, worker, reason, title, final)
    local signature = string.sub(redis.sha1hex(name .. '\0' .. reason .. '\0' .. title), 1, 32)
    local g = Failures.groups[signature]
    if not g then
        g = { name = name, reason = reason, title = title, count = 0, failed = {}, workers = {}, ids = '' }
        Failures.groups[signature] = g
    end
    g.count = g.count + 1
    if worker and worker ~= '' then
        g.workers[worker] = (g.workers[worker] or 0) + 1
    end
    g.ids = id .. g.ids
    if final then
        g.failed[#g.failed + 1], g.failed[#g.failed + 2] = now, id
    end
    return signature
end

-- The job is failed no more, or gone.
function Failures.left(id, signature)
    if signature then
        redis.call('ZREM', P .. 'fgf:' .. signature, id)
    end
end

function Failures.drop(signatures)
    for _, signature in ipairs(signatures) do
        redis.call('UNLINK', P .. 'fg:' .. signature, P .. 'fgt:' .. signature, P .. 'fgf:' .. signature)
    end
    if signatures[1] then
        redis.call('ZREM', P .. 'fgroups', unpack(signatures))
    end
end

function Failures.write(signature, g)
    local key = P .. 'fg:' .. signature
    local known = redis.call('HMGET', key, 'f', 'st', 'id', 'wn')
    local fields = { 'l', now, 'id', string.sub(g.ids .. (known[3] or ''), 1, 16 * Failures.samples) }
    local function set(field, value)
        fields[#fields + 1], fields[#fields + 2] = field, value
    end
    if not known[1] then
        local excess = redis.call('ZCARD', P .. 'fgroups') + 1 - limit.failure_groups
        if excess > 0 then
            Failures.drop(redis.call('ZRANGE', P .. 'fgroups', 0, math.min(excess, limit.items) - 1))
        end
        set('n', g.name)
        set('r', g.reason)
        set('t', g.title)
        set('f', now)
    end
    if known[2] ~= 'o' then
        set('st', 'o') -- a resolved group opens again
    end
    local workers = tonumber(known[4] or 0)
    for worker, times in pairs(g.workers) do
        local isKnown = redis.call('HEXISTS', key, 'w:' .. worker) == 1
        if isKnown or workers < limit.failure_workers then
            workers = workers + (isKnown and 0 or 1)
            redis.call('HINCRBY', key, 'w:' .. worker, times)
        end
    end
    set('wn', workers)
    redis.call('HSET', key, unpack(fields))
    redis.call('HINCRBY', key, 'c', g.count)
    if g.failed[1] then
        redis.call('HINCRBY', key, 'fc', #g.failed / 2)
        redis.call('ZADD', P .. 'fgf:' .. signature, unpack(g.failed))
    end
    redis.call('ZADD', P .. 'fgroups', now, signature)
    ringsAdd(P .. 'fgt:' .. signature, { { 0, 36, math.floor(now / 300000), g.count }, { 37, 168, math.floor(now / 3600000), g.count } })
end

function Failures.flush()
    for signature, g in pairs(Failures.groups) do
        Failures.write(signature, g)
    end
    Failures.groups = {}
end

atCommit[#atCommit + 1] = function()
    Failures.flush()
end
