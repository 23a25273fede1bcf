#!lua flags=allow-oom
-- Moves jobs that neither run nor await to the trash: transition 25 (`delete`). A job that had not ended is cancelled, so that nobody waits
-- for it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] who
-- ARGV[3…] ids
-- Reply now, transaction, for each {state} or a word (NOT_FOUND, CONFLICT), hints.
-- include base
-- include record
-- include place
-- include state
-- include retaining
-- include ends

local function delete(id)
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
    tell(id, 'deleted', ARGV[2], redis.call('HGET', key.state .. id, field.attempt), '')
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

local answers = {}
for at = 3, #ARGV do
    answers[#answers + 1] = delete(ARGV[at])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
