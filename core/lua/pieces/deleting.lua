-- Moves a job to the trash: transition 25 (`delete`).
-- include record
-- include place
-- include state
-- include retaining
-- include ends

-- Returns {state}, or a word: NOT_FOUND, CONFLICT.
local function deleteJob(id, who)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id) or { [field.state] = ST_READY }
    readInto(s, id, { field.failure_group, field.kept_in, field.deleted })
    if s.deleted then
        return { s.state }
    elseif s.state == ST_RUNNING or s.state == ST_AWAITING then
        return 'CONFLICT'
    end
    redis.call('HSET', key.state .. id, field.deleted, now, field.deleted_state, s.state)
    redis.call('ZADD', key.trash, now, id)
    tell(id, 'deleted', who, redis.call('HGET', key.state .. id, field.attempt), '')
    count(field.totals.deleted, 1)
    if FINAL[s.state] then
        Retention.left(id, s.state, s)
        redis.call('HDEL', key.state .. id, field.kept_in)
        return { s.state }
    end
    leavePlace(id, s, h)
    redis.call('HSET', key.state .. id, field.state, ST_CANCELLED, field.finished, now, field.reason, 'deleted')
    becameFinal[#becameFinal + 1] = id
    ended(id, ST_CANCELLED, s)
    return { ST_CANCELLED }
end
