#!lua
-- Starts a prepared operation, pauses, resumes or stops one.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] operation
-- ARGV[3] start, pause, resume or stop
-- ARGV[4] who starts it
-- ARGV[5] the reason that was given
-- Reply now, transaction, 1 or a word (NOT_FOUND; VIEW: its view is gone, or what it takes back; STATE: that was taken back already; or
--       the state that does not allow it). A repeated call gets 1.
-- include base
-- include views
-- include operating

local function run(id)
    redis.call('HSET', key.operation .. id, field.operation.state, 'running', field.operation.credit, 1, field.operation.credit_at, now)
    redis.call('HDEL', key.operation .. id, field.operation.holder)
    redis.call('ZADD', key.operating, 0, id)
    return 1
end

local function start(id, op)
    local back = op.undoes and redis.call('HMGET', key.operation .. op.undoes, field.operation.state, field.operation.undone_by)
    if redis.call('EXISTS', key.view .. op.view) == 0 or back and not back[1] then
        return 'VIEW'
    elseif back and back[2] then
        return 'STATE'
    end
    redis.call('PERSIST', key.operation .. id)
    redis.call('HINCRBY', key.view .. op.view, field.view.users, 1)
    keepView(op.view, nil)
    redis.call('ZREM', key.views, op.view) -- there are few enough operations; only lists count as views
    redis.call('HSET', key.operation .. id, field.operation.by, ARGV[4], field.operation.reason, ARGV[5], field.operation.started, now)
    if op.undoes then
        redis.call('HSET', key.operation .. op.undoes, field.operation.undone_by, id)
        redis.call('PERSIST', key.operation_done .. op.undoes) -- what it did is read until this one ends
    end
    return run(id)
end

local function change(id, verb)
    local v = redis.call('HMGET', key.operation .. id, field.operation.state, field.operation.view, field.operation.undoes)
    local op = { state = v[1], view = v[2], undoes = v[3] or nil }
    if not op.state then
        return 'NOT_FOUND'
    elseif verb == 'start' then
        return op.state ~= 'prepared' and 1 or start(id, op)
    elseif verb == 'pause' and op.state == 'running' then
        redis.call('HSET', key.operation .. id, field.operation.state, 'paused')
        redis.call('ZREM', key.operating, id)
    elseif verb == 'resume' and op.state == 'paused' then
        return run(id)
    elseif verb == 'stop' and (op.state == 'running' or op.state == 'paused') then
        endOperation(id, 'stopped')
    elseif op.state ~= ({ pause = 'paused', resume = 'running', stop = 'stopped' })[verb] then
        return op.state
    end
    return 1
end

local answer = change(ARGV[2], ARGV[3])
return { now, commit(ARGV[1], answer == 1 and field.changed.operations), answer }
