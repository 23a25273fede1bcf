-- Runs a failed or cancelled job again: transition 18 (`retry`).
-- include record
-- include place
-- include state
-- include retaining
-- include ends

-- Returns {state, run_at}, or a word: NOT_FOUND, CONFLICT, UNIQUE. A call with the nonce of the last retry changes nothing.
local function retryJob(id, who, nonce)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id)
    local done = redis.call('HMGET', key.state .. id, field.retry_nonce, field.run_at)
    if s and done[1] == nonce then -- a repeated call; the job may have run since
        return { s.state, s.state == ST_SCHEDULED and tonumber(done[2]) or 0 }
    elseif not s or (s.state ~= ST_FAILED and s.state ~= ST_CANCELLED) then
        return 'CONFLICT'
    end
    readInto(s, id, SPECIAL_FIELDS)
    readInto(s, id, { field.failure_group, field.kept_in, field.deleted })
    if s.deleted then
        return 'CONFLICT' -- in the trash
    end
    local unique = s.unique and key.unique .. s.unique
    local other = unique and redis.call('GET', unique)
    if other and other ~= id then
        return 'UNIQUE'
    end
    Retention.left(id, s.state, s)
    redis.call('HDEL', key.state .. id, field.failures, field.releases, field.silent, field.cancel, field.finished, field.reason,
        field.run_at, field.outcome, field.message, field.failure_group, field.kept_in, field.expires, field.depends, field.failed_over)
    redis.call('DEL', key.result .. id, key.receipt .. id, key.shared_result .. id)
    redis.call('ZREM', key.results, id)
    if unique then
        redis.call('SET', unique, id)
    end
    local function noMore(letter)
        s.special = string.gsub(s.special, letter, '')
        redis.call('HSET', key.state .. id, field.special, s.special)
    end
    if s.group and redis.call('EXISTS', key.group .. s.group) == 1 then
        groupRejoined(s.group, s.state)
    elseif s.group then -- the group was deleted
        noMore(GROUP)
        redis.call('HDEL', key.state .. id, field.group)
        s.group = nil
    end
    if special(s, EXPIRES) then -- expires_in counts only for the first run
        noMore(EXPIRES)
    end
    tell(id, 'retried', who, redis.call('HGET', key.state .. id, field.attempt), '')
    return { place(id, h, s, 0, field.retry_nonce, nonce) }
end
