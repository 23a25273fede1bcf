#!lua library=fsck flags=allow-oom
-- fsck: checks some keys of the namespace, which SCAN found. Each belongs to the schema, has the right lifetime, and agrees with what it
-- belongs to.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] whether to repair (0 or 1)
-- ARGV[3…] keys without the prefix
-- Reply now, transaction, how many jobs were looked at, breaches {invariant, key, text, repaired (0 or 1)}.
-- include base
-- include check
-- include checkshelves
-- include checkbuckets

-- By a key's name up to its colon: the word of its family, and how long it lives: 1 until it is deleted, 2 for a time, 3 like a message key
-- (until it is deleted while it holds an id, then for a time), 4 either.
local WORDS, LIVES = schema.words, schema.lives

local checks = { job = Check.job, lane = Check.lane, bucket = Check.bucket, bucket_groups = Check.groups, share = Check.share,
    shut = Check.shelf, may_open = Check.shelf }

local function drop(itsKey)
    return function()
        redis.call('UNLINK', P .. itsKey)
    end
end

-- Families whose keys each belong to a key of another family, and the breach when that one is missing.
local BELONGS = { state = { key.job, 'the state of no job' }, history = { key.job, 'the history of no job' },
    after = { key.job, 'the jobs after no job' }, windows = { key.job, 'windows of no job' },
    dependents = { key.job, 'dependents of no job' },
    lane_info = { key.lane, 'what a lane carries that is gone' }, bucket_running = { key.bucket, 'what runs under no bucket' },
    rate_starts = { key.bucket, 'starts of no bucket' }, breaker_rings = { key.bucket, 'a ring of no bucket' },
    breaker_probes = { key.bucket, 'probes of no bucket' }, backlog = { key.bucket, 'ready jobs of no bucket' },
    bucket_costs = { key.bucket_groups, 'costs of lanes that do not wait' }, failure_trend = { key.failure_group, 'the trend of no group' },
    schedule_runs = { key.schedule, 'firings of no schedule' } }

for word, of in pairs(BELONGS) do
    checks[word] = function(rest, itsKey)
        if redis.call('EXISTS', of[1] .. rest) == 0 then
            Check.bad('I2', itsKey, of[2], drop(itsKey))
        end
    end
end

function checks.name_totals(nameNo, itsKey)
    if redis.call('HEXISTS', key.names, nameNo) == 0 then
        Check.bad('I2', itsKey, 'counts of no name', drop(itsKey))
    end
end

function checks.result(id, itsKey)
    local ttl = redis.call('PTTL', P .. itsKey)
    if hasJob(id) then
        local state = tonumber(redis.call('HGET', key.state .. id, field.state) or ST_READY)
        if not (Check.head(id) or {}).keep or (state ~= ST_SUCCEEDED and state ~= ST_FAILED) then
            Check.bad('I9', itsKey, 'a result that nobody keeps', function()
                redis.call('UNLINK', P .. itsKey)
                redis.call('ZREM', key.results, id)
            end)
            return
        end
    end
    if ttl > SLACK_MS and not redis.call('ZSCORE', key.results, id) then
        Check.bad('I9', itsKey, 'a result that is not counted', function()
            redis.call('ZADD', key.results, now + ttl, id)
        end)
    end
end

function checks.unique(hash, itsKey)
    local id = redis.call('GET', P .. itsKey)
    local s = #id == 16 and redis.call('HMGET', key.state .. id, field.state, field.unique) or {}
    if not s[1] or FINAL[tonumber(s[1])] or s[2] ~= hash then
        Check.bad('I12', itsKey, 'a unique key of no living job', drop(itsKey))
    end
end

function checks.message(hash, itsKey)
    local id = redis.call('GET', P .. itsKey)
    if #id == 16 then
        local s = redis.call('HMGET', key.state .. id, field.state, field.message_key)
        if s[1] ~= tostring(ST_AWAITING) or s[2] ~= hash then
            Check.bad('I4', itsKey, 'a message key of no awaiting job', drop(itsKey))
        end
    end
end

for word, index in pairs({ day_stats = key.stats, failure_group = key.failure_groups }) do
    checks[word] = function(rest, itsKey)
        if not redis.call('ZSCORE', index, rest) then
            Check.bad('I3', itsKey, 'it stands in no index', function()
                redis.call('ZADD', index, word == 'day_stats' and string.match(rest, '^%d+') or now, rest)
            end)
        end
    end
end

-- A group of jobs: its counts add up, and one without pending jobs will be deleted some time later.
function checks.group(hash, itsKey)
    local g = redis.call('HMGET', P .. itsKey, field.group.total, field.group.pending, field.group.succeeded, field.group.failed,
        field.group.cancelled)
    local total, pending = tonumber(g[1] or 0), tonumber(g[2] or 0)
    local ended_ = tonumber(g[3] or 0) + tonumber(g[4] or 0) + tonumber(g[5] or 0)
    if total ~= pending + ended_ or pending < 0 then
        Check.bad('I1', itsKey, 'its counts do not add up', function()
            pending = math.max(0, total - ended_)
            redis.call('HSET', P .. itsKey, field.group.pending, pending, field.group.total, pending + ended_)
        end)
    end
    if pending == 0 and not redis.call('ZSCORE', key.groups, hash) then
        Check.bad('I16', itsKey, 'it waits for no job, and would never go', function()
            redis.call('ZADD', key.groups, now + limit.group_kept_ms, hash)
        end)
    end
end

function checks.schedule(hash, itsKey)
    local s = redis.call('HMGET', P .. itsKey, field.schedule.id, field.schedule.next)
    if not s[1] or redis.sha1hex(s[1]) ~= hash then
        Check.bad('I2', itsKey, 'a schedule under another key than its own', drop(itsKey))
        return
    end
    if not redis.call('ZSCORE', key.schedule_ids, s[1]) then
        Check.bad('I3', itsKey, 'no list shows the schedule', function()
            redis.call('ZADD', key.schedule_ids, 0, s[1])
        end)
    end
    if tonumber(redis.call('ZSCORE', key.schedules, s[1]) or 0) ~= tonumber(s[2] or 0) then
        Check.bad('I14', itsKey, 'it does not fire when it says', function()
            redis.call('ZREM', key.schedules, s[1])
            if tonumber(s[2] or 0) > 0 then
                redis.call('ZADD', key.schedules, s[2], s[1])
            end
        end)
    end
end

-- Checks whether a key has an expiry exactly if its family says so.
local function lifetime(name, word, rest)
    local ttl = redis.call('PTTL', P .. name)
    local life = LIVES[string.match(name, '^[a-z]+:') or name]
    local forTime = life == 2 or (life == 3 and redis.call('STRLEN', P .. name) > 16)
    if life == 4 then
        return
    elseif ttl >= 0 and not forTime then
        Check.bad('I10', name, 'it would end by itself', function()
            redis.call('PERSIST', P .. name)
        end)
    elseif ttl == -1 and forTime then
        Check.bad('I9', name, 'it would never end', function()
            redis.call('PEXPIRE', P .. name, word == 'result' and limit.result_ttl_ms or limit.receipt_ms)
            if word == 'result' then
                redis.call('ZADD', key.results, now + limit.result_ttl_ms, rest)
            end
        end)
    end
end

for at = 3, #ARGV do
    local name = ARGV[at]
    if redis.call('EXISTS', P .. name) == 1 then
        local kind, rest = string.match(name, '^([a-z]+:)(.*)$')
        local word = WORDS[kind or name]
        if not word then
            Check.bad('I17', name, 'a key outside the schema', drop(name))
        else
            lifetime(name, word, rest)
            if kind and checks[word] then
                checks[word](rest, name)
            end
        end
    end
end
return Check.answer()
