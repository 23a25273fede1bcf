#!lua
-- Prepares an operation over a frozen view. It is gone with the view unless it is started.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] operation
-- ARGV[3] action
-- ARGV[4] the view; '' for one that takes another operation back
-- ARGV[5] jobs that it is to act on
-- ARGV[6] jobs each second at most, 0: no bound
-- ARGV[7] the fields that it sets, who prepares it, and what its jobs must meet, packed by C++
-- ARGV[8] the operation that it takes back, or ''
-- ARGV[9] 1: a master says of each job whether it may be acted on; else 0
-- Reply now, transaction, 1 or a word (NOT_FOUND: no such view, or operation to take back; BUILDING: ids still come; FULL: there are too
--       many operations; STATE: the operation to take back has not ended, or was taken back).
-- include base

local function makeRoom()
    for _, other in ipairs(redis.call('ZRANGE', key.operations, 0, -1)) do
        if redis.call('EXISTS', key.operation .. other) == 0 then
            redis.call('ZREM', key.operations, other)
        end
    end
    return redis.call('ZCARD', key.operations) < limit.operations
end

local function save(id, view, undoes)
    local wanted = ARGV[5]
    if undoes ~= '' then
        local op = redis.call('HMGET', key.operation .. undoes, field.operation.view, field.operation.state, field.operation.undone_by,
            field.operation.done)
        if not op[1] then
            return 'NOT_FOUND'
        elseif op[2] ~= 'done' and op[2] ~= 'stopped' or op[3] then
            return 'STATE'
        end
        view, wanted = op[1], op[4]
    end
    local v = redis.call('HMGET', key.view .. view, field.view.count, field.view.state)
    if not v[1] then
        return 'NOT_FOUND'
    elseif v[2] == '0' then
        return 'BUILDING'
    elseif not makeRoom() then
        return 'FULL'
    end
    redis.call('HSET', key.operation .. id, field.operation.action, ARGV[3], field.operation.view, view, field.operation.count, v[1],
        field.operation.wanted, wanted, field.operation.rate, ARGV[6], field.operation.definition, ARGV[7], field.operation.state,
        'prepared', field.operation.made, now, field.operation.position, 0, field.operation.done, 0, field.operation.skipped, 0)
    if undoes ~= '' then
        redis.call('HSET', key.operation .. id, field.operation.undoes, undoes)
    end
    if ARGV[9] == '1' then
        redis.call('HSET', key.operation .. id, field.operation.judged, 1)
    end
    redis.call('PEXPIRE', key.operation .. id, limit.view_ms)
    redis.call('ZADD', key.operations, now, id)
    return 1
end

local answer = save(ARGV[2], ARGV[4], ARGV[8])
return { now, commit(ARGV[1], false), answer }
