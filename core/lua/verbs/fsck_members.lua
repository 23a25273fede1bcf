#!lua flags=allow-oom
-- Looks at a slice of one sorted set, set or hash: each member has its job, or whatever it stands for, and that one belongs there.
-- KEYS[1] prefix. ARGV: engine, whether to repair (0 or 1), the key without the prefix, the cursor.
-- Reply: now, transaction, how many members were looked at, breaches {invariant, key, text, repaired (0 or 1)}, the next cursor ('0': all).
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

local name = ARGV[3]
local kind, rest = string.match(name, '^([a-z]+):(.*)$')
kind = kind or name
local key = P .. name

local function remove(member)
    return function()
        Check.drop(key, member)
    end
end

-- A set of the jobs of one state.
local STATES = { sched = ST_SCHEDULED, depends = ST_DEPENDS, run = ST_RUNNING, await = ST_AWAITING, succeeded = ST_SUCCEEDED,
    failed = ST_FAILED, cancelled = ST_CANCELLED, lane = ST_READY, al = ST_READY }
local LATE_MS = { sched = 5000, run = 5000, await = 5000, expire = 5000, wclose = 5000, cclose = 5000, wake = 5000,
    purge = 60000, trash = 60000, bidle = 60000 }
-- Only where a master is at work can something be late.
local masters = redis.call('ZCOUNT', P .. 'engines', now - limit.engine_ms, '+inf') > 0

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
    if state and s.st ~= state then
        Check.bad('I1', name, 'a member whose job is in another state', remove(member))
        return
    elseif kind == 'lane' then
        local info, h = laneInfo(rest), Check.head(id)
        if not h then
            return
        elseif (s.la or Check.number(h.name)) ~= rest or info and (info[1] ~= Check.number(h.name) or info[2] and info[2] ~= h.name) then
            Check.bad('I13', name, 'a member that belongs to another lane', function()
                Check.drop(key, id)
                if s.la == rest then
                    Check.put(id, h, s)
                end
            end)
            return
        elseif string.find(rest, '^[cf]') and info and not redis.call('ZSCORE', P .. 'al:' .. info[1], id) then
            Check.bad('I3', name, 'no list of its name shows a job of a lane', function()
                listAdd(info[1], { score, id })
            end)
        end
    elseif kind == 'al' then
        local info = s.la and laneInfo(s.la)
        if not info or info[1] ~= rest or not string.find(s.la, '^[cf]') then
            Check.bad('I2', name, 'a member that stands in no such lane', function()
                listRemove(rest, id)
            end)
            return
        end
    end
    local letter = ({ expire = EXPIRES, wclose = WINDOWS, wwant = WINDOWS })[kind]
    if (letter and (not special(s, letter) or FINAL[s.st])) or (kind == 'expire' and s.a) or (kind == 'wclose' and s.st ~= ST_READY)
        or (kind == 'purge' and (not FINAL[s.st] or s.tr)) or (kind == 'kept' and s.kn ~= rest) or (kind == 'trash' and not s.tr)
        or (kind == 'tracked' and not s.tk) or (kind == 'fgf' and (s.st ~= ST_FAILED or s.fg ~= rest)) then
        Check.bad('I2', name, 'a member that does not belong there', remove(member))
        return
    end
    late(score)
end

-- What stands for a key.
local KEYS_OF = { results = 'res:', idem = 'idem:', fgroups = 'fg:', stats = 'st:', groups = 'g:', wake = 'b:', bidle = 'b:', cb = 'b:',
    cw = 'bg:', shuts = 'shut:', mays = '', lanes_at = 'lane:', parked = 'lane:', sch = 'sch:', sch_ids = 'sch:',
    aln = 'al:', tags = 'lane:' }

local function checkKey(member, score)
    local forTime = kind == 'results' or kind == 'idem'
    local stands = P .. KEYS_OF[kind] .. ((kind == 'sch' or kind == 'sch_ids') and redis.sha1hex(member) or member)
    if kind == 'mays' then
        stands = P .. 'may:' .. rest .. '|' .. member
    end
    if redis.call('EXISTS', stands) == 0 and (not forTime or tonumber(score) > now + SLACK_MS) then
        Check.bad('I2', name, 'a member that stands for nothing', function()
            redis.call(({ cb = 'SREM', shuts = 'SREM', mays = 'HDEL', parked = 'HDEL', tags = 'HDEL' })[kind] or 'ZREM', key, member)
        end)
    else
        late(score)
    end
end

local function checkFreeing(member)
    if redis.call('EXISTS', P .. 'dep:' .. string.sub(member, 1, 16)) == 0 then
        Check.bad('I2', name, 'a member that stands for nothing', remove(member))
    end
end

local others = {
    cclose = function(member, score)
        Check.closing(name, member)
        late(score)
    end,
    ready = function(member, score) Check.ready(name, rest, member, score, nil) end,
    fready = function(member, score) Check.ready(name, rest, member, score, true) end,
    bw = function(member, score) Check.waiting(name, rest, member, score) end,
    shut = function(member, score) Check.onShelf(name, rest, member, score) end,
    may = function(member, score) Check.onShelf(name, string.match(rest, '^(.*)|%d+$'), member, score) end,
    br = function(member, score) Check.holds(kind, name, rest, member, score) end,
    bp = function(member) Check.holds(kind, name, rest, member) end,
    bq = function(member) Check.bounded(name, rest, member) end,
    freeing = checkFreeing,
    lanes = function(member) Check.numbered(member) end,
}

-- The count of ready jobs, where the lanes are few enough to add them up in one call; asked for when all lanes are in order.
if name == 'count' then
    local sums = Check.readySums()
    if sums and sums.all ~= tonumber(redis.call('HGET', key, 'ready') or 0) then
        Check.bad('I1', name, 'it counts other ready jobs than there are', function()
            redis.call('HSET', key, 'ready', sums.all)
        end)
    end
    return Check.answer('0')
end

local check = others[kind] or KEYS_OF[kind] and checkKey or checkJob
local type_ = redis.call('TYPE', key).ok
local slice = { '0', {} }
local step, has = 2, { zset = 'ZSCORE', hash = 'HEXISTS', set = 'SISMEMBER' }
if type_ == 'zset' then
    slice = redis.call('ZSCAN', key, ARGV[4], 'COUNT', limit.items)
elseif type_ == 'hash' then
    slice = redis.call('HSCAN', key, ARGV[4], 'COUNT', limit.items)
elseif type_ == 'set' then
    slice, step = redis.call('SSCAN', key, ARGV[4], 'COUNT', limit.items), 1
end
for i = 1, #slice[2], step do
    Check.checked = Check.checked + 1
    local there = redis.call(has[type_], key, slice[2][i])
    if there and there ~= 0 then -- a repair before may have taken it along
        check(slice[2][i], slice[2][i + 1])
    end
end
return Check.answer(slice[1])
