-- Retention: how long final jobs are kept, by age and by count, in general and by name; and the one place where a job is removed. Of a
-- name's six settings, −1 means the general one.
-- include record
-- include lanes
-- include failuregroups

local Retention = {}
local justEnded, generalSettings, ownSettings = {}, nil, {} -- {{id, state, when}, …}; read once a call; the same by name

local AGES = { [6] = limit.succeeded_kept_ms, [7] = limit.failed_kept_ms, [8] = limit.cancelled_kept_ms }
local COUNTS = { [6] = limit.succeeded_kept, [7] = limit.failed_kept, [8] = limit.cancelled_kept }

-- Whether there are settings of retention, jobs that wait for others, or a trash. Most namespaces have none of them at a time, and so one
-- command stands for three.
local rare = nil

local function someRare()
    if rare == nil then
        rare = redis.call('EXISTS', key.retention, key.depends, key.trash) > 0
    end
    return rare
end

-- The general settings, read once a call: {names: how many names have settings of their own, ages and counts by state}.
function Retention.settings()
    local settings = generalSettings
    if not settings then
        local v = someRare() and redis.call('HMGET', key.retention, field.retention.names, field.retention.succeeded_age,
            field.retention.succeeded_count, field.retention.failed_age, field.retention.failed_count, field.retention.cancelled_age,
            field.retention.cancelled_count) or {}
        settings = { names = tonumber(v[1] or 0), ages = {}, counts = {} }
        for state = 6, 8 do
            settings.ages[state] = tonumber(v[2 * state - 10]) or AGES[state]
            settings.counts[state] = tonumber(v[2 * state - 9]) or COUNTS[state]
        end
        generalSettings = settings
    end
    return settings
end

-- A name's own age and count for a state; nil where it has none.
function Retention.ofName(name, state)
    local six = ownSettings[name]
    if not six then
        local packed = redis.call('HGET', key.retention, field.retention.of_name .. name)
        six = packed and cmsgpack.unpack(packed) or {}
        ownSettings[name] = six
    end
    local age, most = six[2 * state - 11], six[2 * state - 10]
    return age and age >= 0 and age or nil, most and most >= 0 and most or nil
end

-- Notes that a job became final now.
function Retention.kept(id, state)
    justEnded[#justEnded + 1] = { id, state, now }
end

-- Takes a job that is no longer final out of the sets of final jobs. `s` has failure_group and kept_in.
function Retention.left(id, state, s)
    redis.call('ZREM', FINAL[state], id)
    redis.call('ZREM', key.purge, id)
    if s.kept_in then
        redis.call('ZREM', key.kept .. s.kept_in, id)
    end
    Failures.left(id, s.failure_group)
end

-- Stores the final state of a job that is removed, unless it succeeded, for as long as an idempotency key of its push can exist. A repeated
-- push is then still answered with that state.
local function noteGone(id, state)
    local made = 0
    for at = 1, 6 do
        made = made * 256 + string.byte(id, at)
    end
    local left = made + limit.idempotency_ms - now
    if left > 0 then
        redis.call('SET', key.gone .. id, state, 'PX', left)
    end
end

-- Keeps of a job that is removed before its result what says whose the result is: the record without its argument, and the tokens that
-- share the job.
local function keepOwner(id)
    local h = readHead(id)
    if not h or not h.keep then
        return
    end
    local left = math.max(redis.call('PTTL', key.result .. id), redis.call('PTTL', key.receipt .. id))
    if left <= 0 then
        return
    end
    local last = h.extras - 2
    if hasExtras(h) then
        last = h.extras + 28 + struct.unpack('<I2', h.record, h.extras + 28)
    end
    local kept = { field.result_owner.record, redis.call('GETRANGE', key.job .. id, 0, last) }
    for _, name in ipairs(redis.call('HKEYS', key.state .. id)) do
        if string.sub(name, 1, #field.sharer) == field.sharer then
            kept[#kept + 1] = field.result_owner.sharer .. string.sub(name, #field.sharer + 1)
            kept[#kept + 1] = 1
        end
    end
    redis.call('HSET', key.result_owner .. id, unpack(kept))
    redis.call('PEXPIRE', key.result_owner .. id, left + limit.receipt_ms)
end

-- Removes jobs that are final or in the trash, with everything that belongs to them. A kept result stays: it belongs to the pusher.
function Retention.remove(ids)
    if not ids[1] then
        return
    end
    local anyKeys = redis.call('EXISTS', key.idempotency) == 1
    Failures.flush() -- so that jobs that failed in this very call leave their groups, too
    local keys, sets = {}, { [6] = {}, [7] = {}, [8] = {} }
    local freeing = redis.call('EXISTS', key.freeing) == 1
    for _, id in ipairs(ids) do
        local v = redis.call('HMGET', key.state .. id, field.state, field.failure_group, field.kept_in)
        local of = sets[tonumber(v[1] or 0)]
        if of then
            of[#of + 1] = id
        end
        Failures.left(id, v[2])
        keepOwner(id)
        if anyKeys and v[1] and v[1] ~= tostring(ST_SUCCEEDED) then
            noteGone(id, v[1])
        end
        if v[3] then
            redis.call('ZREM', key.kept .. v[3], id)
        end
        local n = #keys
        for k, of in ipairs({ key.job, key.state, key.history, key.after, key.windows }) do
            keys[n + k] = of .. id
        end
        if not freeing or not redis.call('ZSCORE', key.freeing, id .. (v[1] or '')) then
            keys[#keys + 1] = key.dependents .. id -- a job in `freeing` still has dependents to tell
        end
    end
    redis.call('UNLINK', unpack(keys))
    for state, of in pairs(sets) do
        if of[1] then
            redis.call('ZREM', FINAL[state], unpack(of))
        end
    end
    for _, set in ipairs({ key.purge, key.trash, key.tracked }) do
        redis.call('ZREM', set, unpack(ids))
    end
end

-- Splits ids into those that are not tracked and those that are.
function Retention.untracked(ids)
    if redis.call('EXISTS', key.tracked) == 0 then
        return ids, {}
    end
    local free, tracked = {}, {}
    for _, id in ipairs(ids) do
        local list = redis.call('ZSCORE', key.tracked, id) and tracked or free
        list[#list + 1] = id
    end
    return free, tracked
end

-- Removes the oldest jobs of a set that has more than `most`, at most limit.items; tracked jobs are skipped. Returns how many it removed.
function Retention.shrink(itsKey, most)
    local excess = math.min(redis.call('ZCARD', itsKey) - most, limit.items)
    local from, gone = 0, 0
    while excess > gone do
        local ids = redis.call('ZRANGE', itsKey, from, from + excess - gone - 1)
        if not ids[1] then
            break
        end
        local free, tracked = Retention.untracked(ids)
        Retention.remove(free)
        from, gone = from + #tracked, gone + #free
    end
    return gone
end

-- Writes when each job of justEnded is to be purged, by the settings of its name and state.
function Retention.flush()
    local settings = justEnded[1] and Retention.settings()
    local due, shrunk = {}, {}
    for _, job in ipairs(justEnded) do
        local id, state, ended = job[1], job[2], job[3]
        local age = settings.ages[state]
        local h = settings.names > 0 and readHead(id)
        if h then
            local own, most = Retention.ofName(h.name, state)
            age = own or age
            if most then
                local set = state .. ':' .. nameNumber(h.name)
                redis.call('ZADD', key.kept .. set, ended, id)
                redis.call('HSET', key.state .. id, field.kept_in, set)
                shrunk[set] = most
            end
        end
        due[#due + 1], due[#due + 2] = whole(ended + age), id
    end
    justEnded = {}
    if due[1] then
        redis.call('ZADD', key.purge, unpack(due))
    end
    for set, most in pairs(shrunk) do
        Retention.shrink(key.kept .. set, most)
    end
end

AtCommit[#AtCommit + 1] = function()
    Retention.flush()
end
