#!lua flags=allow-oom
-- Looks at some keys of the namespace, which SCAN found: each belongs to the schema, lives as long as it should, and says nothing that its
-- job does not.
-- KEYS[1] prefix. ARGV: engine, whether to repair (0 or 1), then keys without the prefix.
-- Reply: now, transaction, how many jobs were looked at, breaches {invariant, key, text, repaired (0 or 1)}.
-- include base
-- include record
-- include state
-- include place
-- include ends
-- include push
-- include attempt
-- include check
-- include checkbuckets
-- include checkshelves

-- 1: for ever, 2: for a time, 3: with a part behind it for a time, 4: a message key, for ever while it holds an id, 5: either
local SCHEMA = { meta = 1, tx = 1, count = 1, engines = 1, testclock = 1, probe = 2, nonce = 2, j = 1, s = 1, h = 1, t = 1, w = 1, dep = 1,
    lane = 1, lanes = 1, lane_names = 1, lane_last = 1, name = 1, ready = 1, sched = 1, depends = 1, run = 1, await = 1, expire = 1,
    wclose = 1, wwant = 1, freeing = 1, succeeded = 1, failed = 1, cancelled = 1, purge = 1, kept = 1, retention = 1, tracked = 1,
    trash = 1, results = 1, res = 2, rcp = 2, shared = 2, gone = 2, idem = 3, uq = 1, msg = 4, g = 1, groups = 1, st = 1, stats = 1,
    fg = 1, fgt = 1, fgf = 1, fgroups = 1, sch = 1, schr = 1, sch_ids = 1, audit = 1, ser = 1, series = 1, replace = 1,
    epoch = 1, version = 1, li = 1, lanes_at = 1, parked = 1, wake = 1, shut = 1, shuts = 1, may = 1, mays = 1, reopens = 1, con = 1,
    b = 1, br = 1, bb = 1, bg = 1, bs = 1, bp = 1, bc = 1, bq = 1, fair = 1, fready = 1, cclose = 1, tags = 1, bw = 1, bidle = 1, cb = 1,
    cs = 1, cw = 1, al = 1, aln = 1, ma = 1, ma_ids = 1, follow = 1, mar = 5, mver = 1, con_last = 1, recharged = 1, asks = 2 }

local checks = { j = Check.job, lane = Check.lane, b = Check.bucket, bg = Check.groups, cs = Check.share, shut = Check.shelf,
    may = Check.shelf }

local function drop(key)
    return function()
        redis.call('UNLINK', P .. key)
    end
end

-- What belongs to something goes with it.
local BELONGS = { s = { 'j:', 'the state of no job' }, h = { 'j:', 'the history of no job' }, t = { 'j:', 'the jobs after no job' },
    w = { 'j:', 'windows of no job' }, dep = { 'j:', 'dependents of no job' }, li = { 'lane:', 'what a lane carries that is gone' },
    br = { 'b:', 'what runs under no bucket' }, bs = { 'b:', 'starts of no bucket' }, bb = { 'b:', 'a ring of no bucket' },
    bp = { 'b:', 'probes of no bucket' }, bq = { 'b:', 'ready jobs of no bucket' },
    bc = { 'bg:', 'costs of lanes that do not wait' }, fgt = { 'fg:', 'the trend of no group' },
    schr = { 'sch:', 'firings of no schedule' } }

for kind, of in pairs(BELONGS) do
    checks[kind] = function(rest, key)
        if redis.call('EXISTS', P .. of[1] .. rest) == 0 then
            Check.bad('I2', key, of[2], drop(key))
        end
    end
end

function checks.name(n, key)
    if redis.call('HEXISTS', P .. 'lane_names', n) == 0 then
        Check.bad('I2', key, 'counts of no name', drop(key))
    end
end

function checks.res(id, key)
    local ttl = redis.call('PTTL', P .. key)
    if hasJob(id) then
        local state = tonumber(redis.call('HGET', P .. 's:' .. id, 'st') or ST_READY)
        if not (Check.head(id) or {}).keep or (state ~= ST_SUCCEEDED and state ~= ST_FAILED) then
            Check.bad('I9', key, 'a result that nobody keeps', function()
                redis.call('UNLINK', P .. key)
                redis.call('ZREM', P .. 'results', id)
            end)
            return
        end
    end
    if ttl > SLACK_MS and not redis.call('ZSCORE', P .. 'results', id) then
        Check.bad('I9', key, 'a result that is not counted', function()
            redis.call('ZADD', P .. 'results', now + ttl, id)
        end)
    end
end

function checks.uq(hash, key)
    local id = redis.call('GET', P .. key)
    local s = #id == 16 and redis.call('HMGET', P .. 's:' .. id, 'st', 'uq') or {}
    if not s[1] or FINAL[tonumber(s[1])] or s[2] ~= hash then
        Check.bad('I12', key, 'a unique key of no living job', drop(key))
    end
end

function checks.msg(hash, key)
    local id = redis.call('GET', P .. key)
    if #id == 16 then
        local s = redis.call('HMGET', P .. 's:' .. id, 'st', 'mk')
        if s[1] ~= tostring(ST_AWAITING) or s[2] ~= hash then
            Check.bad('I4', key, 'a message key of no awaiting job', drop(key))
        end
    end
end

for kind, index in pairs({ st = 'stats', fg = 'fgroups' }) do
    checks[kind] = function(rest, key)
        if not redis.call('ZSCORE', P .. index, rest) then
            Check.bad('I3', key, 'it stands in no index', function()
                redis.call('ZADD', P .. index, kind == 'st' and string.match(rest, '^%d+') or now, rest)
            end)
        end
    end
end

-- A group of jobs: its counts add up, and it goes some time after the last of them ended.
function checks.g(hash, key)
    local g = redis.call('HMGET', P .. key, 'total', 'pending', 'succeeded', 'failed', 'cancelled')
    local total, pending = tonumber(g[1] or 0), tonumber(g[2] or 0)
    local ended_ = tonumber(g[3] or 0) + tonumber(g[4] or 0) + tonumber(g[5] or 0)
    if total ~= pending + ended_ or pending < 0 then
        Check.bad('I1', key, 'its counts do not add up', function()
            pending = math.max(0, total - ended_)
            redis.call('HSET', P .. key, 'pending', pending, 'total', pending + ended_)
        end)
    end
    if pending == 0 and not redis.call('ZSCORE', P .. 'groups', hash) then
        Check.bad('I16', key, 'it waits for no job, and would never go', function()
            redis.call('ZADD', P .. 'groups', now + limit.group_kept_ms, hash)
        end)
    end
end

function checks.sch(hash, key)
    local s = redis.call('HMGET', P .. key, 'id', 'nx', 'pa')
    if not s[1] or redis.sha1hex(s[1]) ~= hash then
        Check.bad('I2', key, 'a schedule under another key than its own', drop(key))
        return
    end
    if not redis.call('ZSCORE', P .. 'sch_ids', s[1]) then
        Check.bad('I3', key, 'no list shows the schedule', function()
            redis.call('ZADD', P .. 'sch_ids', 0, s[1])
        end)
    end
    if tonumber(redis.call('ZSCORE', P .. 'sch', s[1]) or 0) ~= tonumber(s[2] or 0) then
        Check.bad('I14', key, 'it does not fire when it says', function()
            redis.call('ZREM', P .. 'sch', s[1])
            if tonumber(s[2] or 0) > 0 then
                redis.call('ZADD', P .. 'sch', s[2], s[1])
            end
        end)
    end
end

local function lifetime(name, kind, rest, life)
    local ttl = redis.call('PTTL', P .. name)
    local forTime = life == 2 or (life == 3 and rest ~= nil) or (life == 4 and redis.call('STRLEN', P .. name) > 16)
    if life == 5 then
        return
    elseif ttl >= 0 and not forTime then
        Check.bad('I10', name, 'it would end by itself', function()
            redis.call('PERSIST', P .. name)
        end)
    elseif ttl == -1 and forTime then
        Check.bad('I9', name, 'it would never end', function()
            redis.call('PEXPIRE', P .. name, kind == 'res' and limit.result_ttl_ms or limit.receipt_ms)
            if kind == 'res' then
                redis.call('ZADD', P .. 'results', now + limit.result_ttl_ms, rest)
            end
        end)
    end
end

for at = 3, #ARGV do
    local name = ARGV[at]
    if redis.call('EXISTS', P .. name) == 1 then
        local kind, rest = string.match(name, '^([a-z]+):(.*)$')
        local life = SCHEMA[kind or name]
        if not life then
            Check.bad('I17', name, 'a key outside the schema', drop(name))
        else
            lifetime(name, kind, rest, life)
            if kind and checks[kind] then
                checks[kind](rest, name)
            end
        end
    end
end
return Check.answer()
