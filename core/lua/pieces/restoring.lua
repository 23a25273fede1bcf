-- Restores a job from the trash to the state in which it was deleted: transition 26 (`restore`).
-- include record
-- include place
-- include state
-- include retaining
-- include ends

-- Restores a job that was final. It is purged at the time that its end gives.
local function restoreFinal(id, state, s)
    redis.call('ZADD', FINAL[state], s.finished, id)
    justEnded[#justEnded + 1] = { id, state, tonumber(s.finished) }
    if s.failure_group and redis.call('EXISTS', key.failure_group .. s.failure_group) == 1 then
        redis.call('ZADD', key.failure_jobs .. s.failure_group, s.finished, id)
    end
    return { state }
end

-- Whether the restored job has its unique key again. A job that is unique only until its start gave the key up when it started.
local function holdsKey(s)
    return s.unique and (s.unique_until ~= 's' or not s.attempt)
end

-- Restores a job that was not final. Its group counts it as pending again, and jobs that it depends on may have ended meanwhile.
local function restoreUnended(id, h, state, s)
    if holdsKey(s) then
        redis.call('SET', key.unique .. s.unique, id)
    end
    if s.group then
        groupRejoined(s.group, ST_CANCELLED)
    end
    if special(s, EXPIRES) and not s.attempt then -- a job that was started in time does not expire
        redis.call('ZADD', key.expiring, s.expires, id)
    end
    redis.call('HDEL', key.state .. id, field.finished, field.reason)
    if state ~= ST_DEPENDS then
        return { (place(id, h, s, state == ST_SCHEDULED and tonumber(s.run_at) or 0)) }
    elseif s.broken_by and s.on_failure ~= 'r' then
        endByDependency(id, h, s, tonumber(s.broken_by), s.on_failure)
        return { s.on_failure == 'c' and ST_CANCELLED or ST_FAILED }
    elseif tonumber(s.depends) > 0 then
        redis.call('HSET', key.state .. id, field.state, ST_DEPENDS)
        redis.call('ZADD', key.depends, now, id)
        return { ST_DEPENDS }
    end
    redis.call('HDEL', key.state .. id, field.depends)
    return { (place(id, h, s, tonumber(s.run_at or 0))) }
end

-- Returns {state}, or a word: NOT_FOUND, CONFLICT, UNIQUE.
local function restoreJob(id, who)
    local h = readHead(id)
    if not h then
        return 'NOT_FOUND'
    end
    local s = readState(id)
    if not s or not readInto(s, id, { field.deleted, field.deleted_state, field.attempt, field.run_at, field.finished,
        field.failure_group, field.depends, field.on_failure, field.broken_by, field.unique_ahead })[field.deleted] then
        return 'CONFLICT'
    end
    readInto(s, id, SPECIAL_FIELDS)
    local state = tonumber(s.deleted_state)
    local other = holdsKey(s) and not FINAL[state] and redis.call('GET', key.unique .. s.unique)
    if other and other ~= id and not (state == ST_DEPENDS and other == s.unique_ahead) then -- it may wait for that one
        return 'UNIQUE'
    end
    redis.call('ZREM', key.trash, id)
    redis.call('HDEL', key.state .. id, field.deleted, field.deleted_state, field.broken_by)
    tell(id, 'restored', who, s.attempt, '')
    return FINAL[state] and restoreFinal(id, state, s) or restoreUnended(id, h, state, s)
end
