#!lua library=jobs flags=allow-oom
-- Does the next part of an operation: its action on at most limit.operation_slice jobs of its view, as many as its rate allows. The place
-- that it has reached is stored in the same call, so that no job is acted on twice, whichever master goes on. `set` needs C++: it is given
-- the ids, and tells what became of them by the next call. So does an operation whose jobs are judged: C++ tells which may be acted on.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] operation
-- ARGV[3] the position of the ids that C++ was given; '' asks for ids
-- ARGV[4…] what it says of each: '' it is changed, or may be acted on; else why it is left as it is
-- Reply now, transaction, {when to call again (ms, 0: never), position, ids for C++} or the word BUSY: another engine has it, hints.
-- include base
-- include ends
-- include retrying
-- include cancelling
-- include deleting
-- include restoring
-- include releasing
-- include views
-- include operating

local MARKED = { retry = true, delete = true, restore = true } -- their jobs are marked, so that it can be taken back

local op, opId = nil, ARGV[2]

-- Who and why, as the histories of jobs keep it; C++ does the same.
local function changedBy(who, reason)
    return (who or '') .. (reason and reason ~= '' and '\n' .. reason or '')
end

local function readOperation()
    local v = redis.call('HMGET', key.operation .. opId, field.operation.action, field.operation.view, field.operation.count,
        field.operation.state, field.operation.position, field.operation.rate, field.operation.credit, field.operation.credit_at,
        field.operation.by, field.operation.undoes, field.operation.holder, field.operation.skipped, field.operation.reason,
        field.operation.judged)
    return v[1] and { action = v[1], view = v[2], count = tonumber(v[3]), state = v[4], position = tonumber(v[5]), rate = tonumber(v[6]),
        credit = tonumber(v[7] or 0), creditAt = tonumber(v[8] or now), by = changedBy(v[9], v[13]), undoes = v[10] or nil,
        holder = v[11] or nil, skippedBefore = tonumber(v[12]), judged = v[14] == '1', done = 0, skipped = 0, reasons = {} }
end

-- Whether a job that was run again by the operation has not been started since.
local function waitsSince(id, retriedBy)
    local s = redis.call('HMGET', key.state .. id, field.retry_nonce, field.state, field.failures, field.releases, field.deleted)
    local state = tonumber(s[2])
    return s[1] == retriedBy and (state == ST_READY or state == ST_SCHEDULED) and tonumber(s[3] or 0) == 0 and tonumber(s[4] or 0) == 0
        and not s[5]
end

local ACTS = {
    retry = function(id)
        return retryJob(id, op.by, opId)
    end,
    cancel = function(id)
        if op.undoes and not waitsSince(id, op.undoes) then
            return 'STARTED'
        elseif redis.call('HGET', key.state .. id, field.state) == tostring(ST_CANCELLED) then
            return 'CONFLICT'
        end
        return cancelJob(id, false, op.by)
    end,
    delete = function(id)
        return redis.call('HEXISTS', key.state .. id, field.deleted) == 1 and 'CONFLICT' or deleteJob(id, op.by)
    end,
    restore = function(id)
        return restoreJob(id, op.by)
    end,
    release = function(id)
        local s = redis.call('HMGET', key.state .. id, field.state, field.lease)
        if tonumber(s[1]) ~= ST_RUNNING then -- it may have its last lease still
            return redis.call('EXISTS', key.job .. id) == 1 and 'CONFLICT' or 'NOT_FOUND'
        end
        return releaseJob(id, s[2], 0, 0, false)
    end,
}

-- Why a job is left as it is: the word itself, or the state that does not allow the action.
local function reasonOf(id, word)
    if word ~= 'CONFLICT' and word ~= 'LEASE_LOST' then
        return string.lower(word)
    end
    local s = redis.call('HMGET', key.state .. id, field.state, field.deleted)
    return s[2] and 'trash' or s[1] or tostring(ST_READY)
end

-- Goes on to the next job. An empty reason: this one was changed.
local function passed(id, reason)
    if reason == '' then
        op.done = op.done + 1
        if MARKED[op.action] then
            redis.call('BITFIELD', key.operation_done .. opId, 'SET', 'u1', op.position, 1)
        end
    else
        op.skipped = op.skipped + 1
        op.reasons[reason] = (op.reasons[reason] or 0) + 1
        if op.skippedBefore + op.skipped <= limit.operation_skipped then
            redis.call('RPUSH', key.operation_skipped .. opId, id .. reason)
        end
    end
    op.position = op.position + 1
end

local function mayGoOn()
    return op.rate == 0 or op.credit >= 1
end

-- Adds what the rate has allowed since the last call, at most what it allows in a second.
local function refill()
    op.credit = math.min(math.max(op.rate, 1), op.credit + math.max(0, now - op.creditAt) * op.rate / 1000) -- the clock may go back
end

-- `verdicts`: why C++ says that a job is left as it is, by its place; '' or nil: it may be acted on.
local function act(ids, verdicts)
    for at = 1, #ids, 16 do
        local id = string.sub(ids, at, at + 15)
        local verdict = verdicts[(at + 15) / 16]
        if not mayGoOn() then
            return
        elseif op.undoes and redis.call('BITFIELD_RO', key.operation_done .. op.undoes, 'GET', 'u1', op.position)[1] == 0 then
            op.position = op.position + 1 -- the operation that is taken back did nothing to it
        elseif verdict and verdict ~= '' then
            passed(id, verdict)
        else
            local answer = ACTS[op.action](id)
            local reason = type(answer) == 'table' and '' or reasonOf(id, answer)
            passed(id, reason)
            op.credit = op.credit - (reason == '' and 1 or 0)
        end
    end
end

-- What C++ has done for `set` since it was given ids. A position that was passed meanwhile is a repeated call.
local function takeOutcomes()
    local ids = viewIds(op.view, op.position, #ARGV - 3)
    for at = 4, #ARGV do
        local first = 16 * (at - 4)
        passed(string.sub(ids, first + 1, first + 16), ARGV[at])
        op.credit = op.credit - (ARGV[at] == '' and 1 or 0)
    end
end

local function store()
    op.stored = true
    redis.call('HSET', key.operation .. opId, field.operation.position, op.position, field.operation.credit,
        string.format('%.6f', op.credit), field.operation.credit_at, now, field.operation.holder, ARGV[1])
    redis.call('HINCRBY', key.operation .. opId, field.operation.done, op.done)
    redis.call('HINCRBY', key.operation .. opId, field.operation.skipped, op.skipped)
    for reason, n in pairs(op.reasons) do
        redis.call('HINCRBY', key.operation .. opId, field.operation.skipped_why .. reason, n)
    end
end

-- Returns when to call again (ms; 0: never).
local function schedule()
    if op.position >= op.count then
        endOperation(opId, 'done')
        return 0
    end
    local again = mayGoOn() and now or now + math.max(limit.operation_pace_ms, math.ceil((1 - op.credit) * 1000 / op.rate))
    redis.call('ZADD', key.operating, again + limit.operation_lease_ms, opId)
    return again
end

local function operate()
    op = readOperation()
    local told = op and ARGV[3] == tostring(op.position)
    local sets = op and op.action == 'set'
    if told and sets and (op.state == 'paused' or op.state == 'stopped') then -- since C++ was given these jobs
        takeOutcomes()
        store()
    end
    if not op or op.state ~= 'running' then
        return { 0, 0, '' }
    end
    local held = tonumber(redis.call('ZSCORE', key.operating, opId) or 0)
    if held > now and op.holder and op.holder ~= ARGV[1] then
        return 'BUSY'
    end
    refill()
    local ids = ''
    if not sets and not op.judged then
        act(viewIds(op.view, op.position, math.min(limit.operation_slice, op.count - op.position)), {})
    else
        if told and sets then
            takeOutcomes()
        elseif told then
            act(viewIds(op.view, op.position, #ARGV - 3), { unpack(ARGV, 4) })
        end
        if op.position < op.count and mayGoOn() then
            local allowed = op.rate > 0 and math.floor(op.credit) or limit.operation_slice
            ids = viewIds(op.view, op.position, math.min(limit.operation_slice, op.count - op.position, allowed))
        end
    end
    store()
    return { schedule(), op.position, ids }
end

local answer = operate()
followUp(limit.items)
local transaction = commit(ARGV[1])
if op and op.stored then
    redis.call('HSET', key.changed, field.changed.operations, transaction)
end
return { now, transaction, answer, hints(0) }
