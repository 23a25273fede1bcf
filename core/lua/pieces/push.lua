-- How a new job is pushed: transitions 1 (`enqueue`), 2 (`repeat-enqueue`), 27 (`replace`).
-- `o` are the options of a job that has some (core/jobs/jobrecord.cpp packs them).
-- include record
-- include lanes
-- include place
-- include state
-- include ends

-- The state of a job, also of one that was removed (`gone` has it, noteGone() in pieces/retaining.lua).
local function stateOf(id)
    local state = redis.call('HGET', key.state .. id, field.state) or redis.call('EXISTS', key.job .. id) == 1 and ST_READY
    return tonumber(state or redis.call('GET', key.gone .. id) or ST_SUCCEEDED)
end

-- Reads the jobs that a new job depends on. Returns those it has to wait for, and the first bad end among the others; or, third, a word
-- when one of them does not exist.
local function readDependencies(o)
    local pending, bad, seen = {}, nil, {}
    for at = 1, #(o.depends_on or ''), 16 do
        local parent = string.sub(o.depends_on, at, at + 15)
        local state = redis.call('HMGET', key.state .. parent, field.state, field.deleted)
        if state[2] or (not state[1] and redis.call('EXISTS', key.job .. parent) == 0) then
            return nil, nil, 'NO_DEPENDENCY ' .. (at - 1) / 16
        end
        local st = tonumber(state[1] or ST_READY)
        if not FINAL[st] then
            if not seen[parent] then -- a job that is named twice counts once
                pending[#pending + 1] = parent
            end
            seen[parent] = true
        elseif st ~= ST_SUCCEEDED and o.on_failure ~= 'r' then
            bad = bad or st
        end
    end
    return pending, bad
end

-- A job that is there already stands for the new one. Its result is kept if either push asks for that.
local function coalesce(id, keep)
    local s = readState(id) or { [field.state] = ST_READY }
    local h = readHead(id)
    if keep and not h.keep then
        redis.call('SETRANGE', key.job .. id, 1, string.char(h.flags + 1))
        redis.call('HSET', key.state .. id, field.result_ttl, resultTtl(h)) -- an attempt may be running, or may still succeed late
    end
    redis.call('HSET', key.state .. id, field.state, s.state, field.shared, 1)
    return { s.state, id, 1 }
end

-- Settles a conflict with the job that has the new job's unique key. Returns an answer if the new job is not pushed; else nil and the job
-- that the new one has to wait for, if any: the one with the key if it has started, or, if it is replaced, the one that it waited for.
local function meetUnique(o, other, h)
    if o.on_conflict == 'j' then
        return 'UNIQUE'
    elseif o.on_conflict == 'c' then
        return coalesce(other, h.keep)
    end
    local s = readState(other) or { [field.state] = ST_READY }
    if tonumber(redis.call('HGET', key.state .. other, field.attempt) or 0) > 0 then
        return nil, other
    end
    local ahead = redis.call('HGET', key.state .. other, field.unique_ahead)
    local state = ahead and tonumber(redis.call('HGET', key.state .. ahead, field.state) or ST_SUCCEEDED)
    leavePlace(other, s, readHead(other))
    tell(other, 'replaced', 'pusher', 0, '')
    finalise(other, ST_CANCELLED, s, { field.reason, 'replaced' })
    count(field.totals.cancelled, 1)
    return nil, state and not FINAL[state] and ahead
end

-- The same, with the new job's dependencies: it may depend on the job that it replaces. Returns an answer; or nil, the job that the new one
-- has to wait for, if any, and the first bad end of those that it depends on.
local function meetInPlace(o, other, h, pending, bad)
    local answer, after = meetUnique(o, other, h)
    if not answer and after ~= other then -- the other job was cancelled: a new job that depends on it need not wait
        for at = #pending, 1, -1 do
            if pending[at] == other then
                table.remove(pending, at)
                bad = bad or o.on_failure ~= 'r' and ST_CANCELLED or nil
            end
        end
    end
    return answer, after, bad
end

-- Writes the keys of a job's special options, and adds their fields to `fields` and `s`.
local function writeSpecial(id, o, s, fields)
    s.special = (o.unique and UNIQUE or '') .. (o.after and THEN or '') .. (o.group and GROUP or '') .. (o.windows and WINDOWS or '')
        .. (o.expires_in and EXPIRES or '')
    local function set(stored, value)
        fields[#fields + 1], fields[#fields + 2] = stored, value
    end
    set(field.special, s.special)
    if o.unique then
        redis.call('SET', key.unique .. o.unique, id)
        set(field.unique, o.unique)
        set(field.unique_until, o.unique_until)
    end
    if o.after then
        redis.call('SET', key.after .. id, o.after)
    end
    if o.windows then
        redis.call('SET', key.windows .. id, cmsgpack.pack(o.windows))
    end
    if o.expires_in then
        set(field.expires, now + o.expires_in)
        redis.call('ZADD', key.expiring, now + o.expires_in, id)
    end
    if o.group then
        local group = redis.sha1hex(o.group)
        set(field.group, group)
        groupJoined(group, o)
    end
end

-- Lets a new job wait for the one ahead of it by the unique key. `pending` are the jobs it depends on.
local function waitBehind(after, pending, fields)
    fields[#fields + 1], fields[#fields + 2] = field.unique_ahead, after
    for _, parent in ipairs(pending) do
        if parent == after then
            return
        end
    end
    fields[#fields + 1], fields[#fields + 2] = field.unique_only, 1 -- it waits for that job's end, good or bad
    pending[#pending + 1] = after
end

-- Pushes a job with special options. Returns the answer.
local function pushSpecial(id, h, due, o, s, fields)
    if mayNotJoin(o) then
        return 'GROUP'
    end
    local pending, bad, word = readDependencies(o)
    if word then
        return word
    end
    local other, after = o.unique and redis.call('GET', key.unique .. o.unique), nil
    if other then
        local answer
        answer, after, bad = meetInPlace(o, other, h, pending, bad)
        if answer then
            return answer
        end
    end
    redis.call('SET', key.job .. id, h.record)
    writeSpecial(id, o, s, fields)
    if after then
        waitBehind(after, pending, fields)
    end
    if bad then
        redis.call('HSET', key.state .. id, unpack(fields))
        endByDependency(id, h, s, bad, o.on_failure)
        return { o.on_failure == 'c' and ST_CANCELLED or ST_FAILED, id, 0 }
    end
    if pending[1] then
        for _, parent in ipairs(pending) do
            redis.call('ZADD', key.dependents .. parent, 0, id)
        end
        redis.call('ZADD', key.depends, now, id)
        someDepend = true
        -- A job without on_failure waits only for the job ahead by its unique key, whose bad end does not matter: 'r'.
        redis.call('HSET', key.state .. id, field.state, ST_DEPENDS, field.depends, #pending, field.on_failure, o.on_failure or 'r',
            field.run_at, due, unpack(fields))
        return { ST_DEPENDS, id, 0 }
    end
    return { (place(id, h, s, due, unpack(fields))), id, 0 }
end

-- A master takes the time in an id from its estimate of this clock, or from its last id. Where that is ahead, the job's state keeps when it
-- was pushed, so that no later time of it comes before this one.
local function noteCreated(id, state)
    local high, low = struct.unpack('>I4I2', id)
    if high * 65536 + low > now then
        redis.call('HSETNX', key.state .. id, field.state, state)
        redis.call('HSET', key.state .. id, field.created, now)
    end
end

-- Pushes a job. `bk` are the buckets, packed, that the matchers of epoch `be` gave it; nil for a job that a script makes. Returns
-- {state, id, whether it is another push's job (0 or 1)}, or a word when it is refused.
function push(id, record, runAt, delay, options, bk, be)
    local h = head(record)
    local due = runAt > 0 and runAt or delay > 0 and now + delay or 0
    local s, carried = nil, {}
    if bk and be > 0 then
        s = { [field.state] = ST_READY, [field.buckets] = bk, [field.epoch] = be }
        carried = { field.buckets, bk, field.epoch, be }
    end
    local answer
    if options ~= '' and redis.call('EXISTS', key.job .. id) == 1 then
        return { stateOf(id), id, 0 } -- this very call again
    elseif options ~= '' then
        answer = pushSpecial(id, h, due, cmsgpack.unpack(options), s or { [field.state] = ST_READY }, carried)
        if type(answer) ~= 'table' or answer[3] == 1 then
            return answer
        end
    else
        if not redis.call('SET', key.job .. id, record, 'NX') then
            return { stateOf(id), id, 0 } -- this very call again
        end
        if due > now then
            redis.call('HSET', key.state .. id, field.state, ST_SCHEDULED, field.run_at, due, unpack(carried))
            redis.call('ZADD', key.scheduled, due, id)
            answer = { ST_SCHEDULED, id, 0 }
        else
            laneAdd(h, id, s)
            answer = { ST_READY, id, 0 }
        end
    end
    noteCreated(id, answer[1])
    count(field.totals.enqueued, 1)
    countName(nameNumber(h.name), field.name_totals.enqueued, 1)
    return answer
end

-- Writes the records of n jobs with one command; their ids and records begin at ARGV[at] and are 9 arguments apart. Returns whether none
-- of them was there before; otherwise it writes nothing.
local function writeRecords(at, n)
    if n == 1 then
        return redis.call('SETNX', key.job .. ARGV[at], ARGV[at + 1]) == 1
    end
    local words, seen = {}, {}
    for i = 1, 2 * n, 2 do
        local id = ARGV[at]
        if seen[id] then
            return false
        end
        seen[id], words[i], words[i + 1] = true, key.job .. id, ARGV[at + 1]
        at = at + 9
    end
    return redis.call('MSETNX', unpack(words)) == 1
end

-- Pushes n plain jobs of the script enqueue, whose arguments begin at `first`, and adds their answers.
local function pushPlain(first, n, answers)
    local new = writeRecords(first, n)
    for at = first, first + 9 * (n - 1), 9 do
        local id, record = ARGV[at], ARGV[at + 1]
        local answer
        if new then
            local _, _, priority, _, _, name = struct.unpack('<BBi4I4I2Bc0', record)
            local nameNo = nameNumber(name)
            if epoch == 0 then
                enter(nameNo, name, priority, id, true) -- plain lanes have no list
            else
                laneAdd({ name = name, priority = priority }, id, { [field.buckets] = ARGV[at + 7], [field.epoch] = epoch })
            end
            noteCreated(id, ST_READY)
            countName(nameNo, field.name_totals.enqueued, 1)
            answer = { ST_READY, id, 0 }
        end
        answers[#answers + 1] = answer or push(id, record, 0, 0, '', ARGV[at + 7], epoch)
    end
    if new then
        count(field.totals.enqueued, n)
    end
end
