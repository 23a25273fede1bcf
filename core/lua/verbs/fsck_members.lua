#!lua library=fsck flags=allow-oom
-- fsck: checks a slice of one sorted set, set or hash. What each member names exists, and belongs there.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] whether to repair (0 or 1)
-- ARGV[3] the key without the prefix
-- ARGV[4] the cursor
-- Reply now, transaction, how many members were looked at, breaches {invariant, key, text, repaired (0 or 1)}, the next cursor ('0': that
--       was all).
-- include base
-- include lanes
-- include place
-- include check
-- include checkshelves
-- include checkbuckets

local name = ARGV[3]
local prefix, rest = string.match(name, '^([a-z]+:)(.*)$')
local WORDS = schema.words
local kind = WORDS[prefix or name] -- the word of the key's family
local itsKey = P .. name

local function remove(member)
    return function()
        Check.drop(itsKey, member)
    end
end

-- Families whose members are jobs of one state.
local STATES = { scheduled = ST_SCHEDULED, depends = ST_DEPENDS, running = ST_RUNNING, awaiting = ST_AWAITING,
    succeeded = ST_SUCCEEDED, failed = ST_FAILED, cancelled = ST_CANCELLED, lane = ST_READY, listed = ST_READY }
local LATE_MS = { scheduled = 5000, running = 5000, awaiting = 5000, expiring = 5000, window_ends = 5000, closing = 5000, waking = 5000,
    purge = 60000, trash = 60000, idle_buckets = 60000 }
-- Something can only be late while a master works.
local masters = redis.call('ZCOUNT', key.engines, now - limit.engine_ms, '+inf') > 0

local function late(score)
    local falls = kind == 'trash' and tonumber(score) + limit.trash_ms or tonumber(score)
    if LATE_MS[kind] and masters and falls < now - LATE_MS[kind] then
        Check.bad(LATE_MS[kind] == 60000 and 'I16' or 'I15', name, 'what was due is still there: nothing sweeps')
    end
end

local function checkJob(member, score)
    local id = member
    if not hasJob(id) then
        Check.bad('I2', name, 'a member without its job', remove(member))
        return
    end
    local s = fields(id)
    local state = STATES[kind]
    if state and s.state ~= state then
        Check.bad('I1', name, 'a member whose job is in another state', remove(member))
        return
    elseif kind == 'lane' then
        local info, h = laneInfo(rest), Check.head(id)
        if not h then
            return
        elseif (s.lane or Check.number(h.name)) ~= rest or info and (info[1] ~= Check.number(h.name) or info[2] and info[2] ~= h.name) then
            Check.bad('I13', name, 'a member that belongs to another lane', function()
                Check.drop(itsKey, id)
                if s.lane == rest then
                    Check.put(id, h, s)
                end
            end)
            return
        elseif string.find(rest, '^[cf]') and info and not redis.call('ZSCORE', key.listed .. info[1], id) then
            Check.bad('I3', name, 'no list of its name shows a job of a lane', function()
                listAdd(info[1], { score, id })
            end)
        end
    elseif kind == 'listed' then
        local info = s.lane and laneInfo(s.lane)
        if not info or info[1] ~= rest or not string.find(s.lane, '^[cf]') then
            Check.bad('I2', name, 'a member that stands in no such lane', function()
                listRemove(rest, { id })
            end)
            return
        end
    end
    local letter = ({ expiring = EXPIRES, window_ends = WINDOWS, windows_wanted = WINDOWS })[kind]
    if (letter and (not special(s,
        letter) or FINAL[s.state])) or (kind == 'expiring' and s.attempt) or (kind == 'window_ends' and s.state ~= ST_READY)
        or (kind == 'purge' and (not FINAL[s.state] or s.deleted)) or (kind == 'kept' and s.kept_in ~= rest) or (kind == 'trash'
            and not s.deleted)
        or (kind == 'tracked' and not s.tracked) or (kind == 'failure_jobs' and (s.state ~= ST_FAILED or s.failure_group ~= rest)) then
        Check.bad('I2', name, 'a member that does not belong there', remove(member))
        return
    end
    late(score)
end

-- Families whose members each name a key, and the family of that key.
local KEYS_OF = { results = key.result, idempotency = key.idempotency_key, failure_groups = key.failure_group, stats = key.day_stats,
    groups = key.group, waking = key.bucket, idle_buckets = key.bucket, constraint_buckets = key.bucket,
    constraint_waiting = key.bucket_groups, shut_shelves = key.shut, may_open_parts = '', lane_epochs = key.lane, parked = key.lane,
    schedules = key.schedule, schedule_ids = key.schedule, listed_names = key.listed, lane_tags = key.lane }

local function checkKey(member, score)
    local forTime = kind == 'results' or kind == 'idempotency'
    local stands = KEYS_OF[kind] .. ((kind == 'schedules' or kind == 'schedule_ids') and redis.sha1hex(member) or member)
    if kind == 'may_open_parts' then
        stands = key.may_open .. rest .. '|' .. member
    end
    if redis.call('EXISTS', stands) == 0 and (not forTime or tonumber(score) > now + SLACK_MS) then
        Check.bad('I2', name, 'a member that stands for nothing', function()
            redis.call(({ constraint_buckets = 'SREM', shut_shelves = 'SREM', may_open_parts = 'HDEL', parked = 'HDEL',
                lane_tags = 'HDEL' })[kind] or 'ZREM', itsKey, member)
        end)
    else
        late(score)
    end
end

local function checkFreeing(member)
    if redis.call('EXISTS', key.dependents .. string.sub(member, 1, 16)) == 0 then
        Check.bad('I2', name, 'a member that stands for nothing', remove(member))
    end
end

local others = {
    closing = function(member, score)
        Check.closing(name, member)
        late(score)
    end,
    ready = function(member, score) Check.ready(name, rest, member, score, nil) end,
    ready_of = function(member, score) Check.ready(name, rest, member, score, nil) end,
    ready_in_turn = function(member, score) Check.ready(name, rest, member, score, true) end,
    ready_in_turn_of = function(member, score) Check.ready(name, rest, member, score, true) end,
    bucket_waiting = function(member, score) Check.waiting(name, rest, member, score) end,
    shut = function(member, score) Check.onShelf(name, rest, member, score) end,
    may_open = function(member, score) Check.onShelf(name, string.match(rest, '^(.*)|%d+$'), member, score) end,
    bucket_running = function(member, score) Check.holds(kind, name, rest, member, score) end,
    breaker_probes = function(member) Check.holds(kind, name, rest, member) end,
    backlog = function(member) Check.bounded(name, rest, member) end,
    freeing = checkFreeing,
    name_numbers = function(member) Check.numbered(member) end,
}

-- The total of ready jobs, if there are few enough lanes to add them up in one call. The caller checks the lanes before.
if kind == 'totals' then
    local sums = Check.readySums()
    if sums and sums.all ~= tonumber(redis.call('HGET', itsKey, field.totals.ready) or 0) then
        Check.bad('I1', name, 'it counts other ready jobs than there are', function()
            redis.call('HSET', itsKey, field.totals.ready, sums.all)
        end)
    end
    return Check.answer('0')
end

local check = others[kind] or KEYS_OF[kind] and checkKey or checkJob
local type_ = redis.call('TYPE', itsKey).ok
local slice = { '0', {} }
local step, has = 2, { zset = 'ZSCORE', hash = 'HEXISTS', set = 'SISMEMBER' }
if type_ == 'zset' then
    slice = redis.call('ZSCAN', itsKey, ARGV[4], 'COUNT', limit.items)
elseif type_ == 'hash' then
    slice = redis.call('HSCAN', itsKey, ARGV[4], 'COUNT', limit.items)
elseif type_ == 'set' then
    slice, step = redis.call('SSCAN', itsKey, ARGV[4], 'COUNT', limit.items), 1
end
for i = 1, #slice[2], step do
    checking.checked = checking.checked + 1
    local there = redis.call(has[type_], itsKey, slice[2][i])
    if there and there ~= 0 then -- an earlier repair may have removed it
        check(slice[2][i], slice[2][i + 1])
    end
end
return Check.answer(slice[1])
