-- Operations: one action on each job of a frozen view.
-- include views

-- Ends an operation, or stops it, and lets all that it has go in time.
local function endOperation(id, state)
    local op = redis.call('HMGET', key.operation .. id, field.operation.view, field.operation.undoes)
    local view = op[1]
    redis.call('HSET', key.operation .. id, field.operation.state, state, field.operation.ended, now)
    redis.call('ZREM', key.operating, id)
    for _, itsKey in ipairs({ key.operation .. id, key.operation_done .. id, key.operation_skipped .. id }) do
        redis.call('PEXPIRE', itsKey, limit.operation_kept_ms)
    end
    if op[2] then
        redis.call('PEXPIRE', key.operation_done .. op[2], limit.operation_kept_ms)
    end
    if redis.call('HINCRBY', key.view .. view, field.view.users, -1) == 0 then
        keepView(view, limit.operation_kept_ms)
    end
end
