-- fsck's checks of the invariants, job by job and key by key. A check and its repair are in one script call, so masters may work meanwhile:
-- nothing is half done when a check runs, and no breach is reported that is none. Nothing is written unless a repair is asked for.
-- include record
-- include lanes
-- include place
-- include failuregroups
-- include retaining

local Check = {}
local checking = { found = {}, checked = 0, repair = ARGV[2] == '1' } -- this call
local SLACK_MS = 60000 -- Redis' clock may have been set back by so much without a breach

-- Notes one breach. `mend` repairs it and is called if a repair is asked for.
function Check.bad(invariant, itsKey, text, mend)
    local mended = 0
    if checking.repair and mend then
        mend()
        mended = 1
        redis.call('XADD', key.audit, 'MAXLEN', '~', limit.audit_entries, '*', 'actor', 'fsck', 'what', 'repair', 'invariant', invariant,
            'key', itsKey, 'text', text)
    end
    checking.found[#checking.found + 1] = { invariant, itsKey, text, mended }
end

-- The reply of a call. If something was repaired, it commits that as any other change.
function Check.answer(...)
    return { now, checking.repair and checking.found[1] and commit(ARGV[1]) or 0, checking.checked, checking.found, ... }
end

local function hset(id, ...)
    redis.call('HSET', key.state .. id, ...)
end

local function hasJob(id)
    return #id == 16 and redis.call('EXISTS', key.job .. id) == 1
end

local function fields(id)
    local s, flat = {}, redis.call('HGETALL', key.state .. id)
    for i = 1, #flat, 2 do
        s[flat[i]] = flat[i + 1]
    end
    s.state = tonumber(s.state or ST_READY)
    return s
end

local PLACES = { [ST_SCHEDULED] = key.scheduled, [ST_DEPENDS] = key.depends, [ST_RUNNING] = key.running, [ST_AWAITING] = key.awaiting,
    [ST_SUCCEEDED] = FINAL[6], [ST_FAILED] = FINAL[7], [ST_CANCELLED] = FINAL[8] }

-- As nameNumber(), but it writes nothing.
function Check.number(name)
    return redis.call('HGET', key.name_numbers, name) or ''
end

-- A job's head; nil when it is gone or cannot be read.
function Check.head(id)
    local ok, h = pcall(readHead, id)
    return ok and h and string.byte(h.record) == 1 and h or nil
end

-- The set in which a job belongs by its state, and its score there.
function Check.place(h, s)
    if s.state == ST_READY then
        return key.lane .. (s.lane or Check.number(h.name)), h.priority
    end
    local order = { [ST_SCHEDULED] = s.run_at, [ST_SUCCEEDED] = s.finished, [ST_FAILED] = s.finished, [ST_CANCELLED] = s.finished,
        [ST_AWAITING] = s.deadline }
    return PLACES[s.state], tonumber(order[s.state])
end

-- I11: no stored time is further ahead than its bound.
function Check.times(id, h, s)
    local bounds = { [field.run_at] = limit.ahead_ms, [field.expires] = limit.ahead_ms, [field.finished] = 0, [field.started] = 0,
        [field.ready_since] = 0 }
    bounds[field.deadline] = s.state == ST_RUNNING and h.timeout or s.state == ST_AWAITING and limit.awaiting_ms or nil
    for stored, bound in pairs(bounds) do
        local at = tonumber(s[stored])
        if at and at > now + bound + SLACK_MS then
            Check.bad('I11', bare.job .. id, 'its time ' .. stored .. ' lies too far ahead', function()
                s[stored] = tostring(now)
                hset(id, stored, now)
                if stored == field.expires and redis.call('ZSCORE', key.expiring, id) then
                    redis.call('ZADD', key.expiring, now, id)
                elseif stored == field.deadline then
                    redis.call('ZADD', PLACES[s.state], 'XX', now, id)
                end
            end)
        end
    end
    local goes = redis.call('ZSCORE', key.purge, id)
    if goes and tonumber(goes) > now + limit.retention_ms + SLACK_MS then
        Check.bad('I11', bare.job .. id, 'it goes too far ahead', function()
            redis.call('ZREM', key.purge, id)
            justEnded[#justEnded + 1] = { id, s.state, now }
        end)
    end
end

-- I1, I4, I6, I7: the fields of one job agree with each other.
function Check.fields(id, h, s)
    if s.state < ST_SCHEDULED or s.state > ST_CANCELLED then
        Check.bad('I1', bare.job .. id, 'its state is none', function()
            s.state, s.reason, s.finished = ST_FAILED, 'fsck', tostring(now)
            s.failure_group = Failures.note(id, h.name, '', 'fsck', 'Its state was none.', true)
            hset(id, field.state, ST_FAILED, field.reason, 'fsck', field.finished, now, field.failure_group, s.failure_group)
        end)
    end
    if s.state == ST_RUNNING or s.state == ST_AWAITING then
        if not s.lease or not s.attempt or string.match(s.lease, '^(%d+)%.%x+$') ~= s.attempt or not s.deadline then
            Check.bad('I4', bare.job .. id, 'it is in hands without a lease', function()
                s.attempt = s.attempt and tonumber(s.attempt) and s.attempt or '1'
                s.lease, s.deadline = s.attempt .. '.0', tostring(now)
                hset(id, field.attempt, s.attempt, field.lease, s.lease, field.deadline, now, field.started, s.started or now,
                    field.lease_ms, s.lease_ms or 1000, field.number, s.number or nameNumber(h.name), field.worker,
                    s.worker or '')
                redis.call('ZADD', PLACES[s.state], now, id)
            end)
        end
    end
    if s.state == ST_AWAITING and redis.call('GET', key.message .. (s.message_key or '')) ~= id then
        Check.bad('I4', bare.job .. id, 'no message can reach it', function() -- it times out, as if no message had come
            s.deadline, s.message_key = tostring(now), s.message_key or redis.sha1hex(id)
            redis.call('SET', key.message .. s.message_key, id, 'NX')
            hset(id, field.deadline, now, field.message_key, s.message_key)
            redis.call('ZADD', key.awaiting, now, id)
        end)
    end
    local most = math.max(h.retries, tonumber(s.failed_over or 0)) + 1
    if tonumber(s.failures or 0) > most then
        Check.bad('I6', bare.job .. id, 'it failed more often than it may', function()
            hset(id, field.failures, most)
        end)
    end
    if s.state == ST_FAILED and (s.reason or '') == '' then
        Check.bad('I7', bare.job .. id, 'it failed without a reason', function()
            hset(id, field.reason, 'other')
        end)
    end
    if FINAL[s.state] and not tonumber(s.finished) then
        Check.bad('I1', bare.job .. id, 'it ended at no time', function()
            s.finished = tostring(now)
            hset(id, field.finished, now)
        end)
    end
end

-- I1, I3, I4, I13: a job is in the set or lane that its state says, by the right score, and in no other.
function Check.places(id, h, s)
    local where, order = Check.place(h, s)
    local plain = Check.number(h.name)
    local places = { [key.lane .. (s.lane or plain)] = true, [key.lane .. plain] = true }
    for _, set in pairs(PLACES) do
        places[set] = true
    end
    for set in pairs(places) do
        local score = redis.call('ZSCORE', set, id)
        if score and (set ~= where or s.deleted) then
            Check.bad('I1', bare.job .. id, 'it stands in ' .. string.sub(set, #P + 1) .. ', too', function()
                Check.drop(set, id)
            end)
        elseif s.deleted then -- it belongs only in the trash
        elseif set == where and not score then
            Check.bad('I3', bare.job .. id, 'it stands in no index', function()
                Check.put(id, h, s, where, order or now)
            end)
        elseif set == where and order and tonumber(score) ~= order then
            local text = 'it stands in ' .. string.sub(set, #P + 1) .. ' by another order'
            Check.bad(s.state == ST_READY and 'I13' or 'I1', bare.job .. id, text, function()
                Check.drop(set, id)
                Check.put(id, h, s, where, order)
            end)
        elseif s.state == ST_RUNNING and set == where and tonumber(s.deadline) and tonumber(score) > tonumber(s.deadline) then
            Check.bad('I4', bare.job .. id, 'its lease outlives its deadline', function()
                redis.call('ZADD', key.running, s.deadline, id)
            end)
        end
    end
end

-- Takes a job out of a set. For a lane, its head and the counts of ready jobs are updated, too.
function Check.drop(set, id)
    local lane = string.match(string.sub(set, #P + 1), '^' .. bare.lane .. '(.*)$')
    if not lane then
        redis.call('ZREM', set, id)
        return
    end
    settleLanes()
    local head, score = lanePeek(lane)
    local known = laneInfo(lane)
    if redis.call('ZREM', set, id) == 1 then
        count(field.totals.ready, -1)
        if not known then
            redis.call('ZREM', key.ready, id .. lane)
            return
        elseif known[4][1] then
            laneCounted(lane, -1, { 0, id })
            listRemove(known[1], { id })
        end
        laneMoved(lane, head, score)
    end
end

-- Puts a job into its set. A ready job enters the plain lane, where the matchers, if there are any, read it again.
function Check.put(id, h, s, where, order)
    if s.state == ST_READY then
        redis.call('HDEL', key.state .. id, field.lane)
        laneAdd(h, id, nil)
        settleLanes()
    else
        redis.call('ZADD', where, order, id)
    end
end

-- I2, I3, I15, I16: a job's special options, the sets that count it, and when it is purged.
function Check.rest(id, h, s)
    local final = FINAL[s.state]
    if final and not redis.call('ZSCORE', key.purge, id) then
        Check.bad('I16', bare.job .. id, 'it ended and would never go', function()
            Retention.kept(id, s.state)
        end)
    end
    if s.kept_in and not redis.call('ZSCORE', key.kept .. s.kept_in, id) then
        Check.bad('I3', bare.job .. id, 'it is not counted with those of its name', function()
            redis.call('ZADD', key.kept .. s.kept_in, s.finished or now, id)
        end)
    end
    if s.state == ST_FAILED and s.failure_group and redis.call('EXISTS',
        key.failure_group .. s.failure_group) == 1 and not redis.call('ZSCORE', key.failure_jobs .. s.failure_group, id)
        and not failureGroups[s.failure_group] then
        Check.bad('I3', bare.job .. id, 'its group of failures does not know it', function()
            redis.call('ZADD', key.failure_jobs .. s.failure_group, s.finished or now, id)
        end)
    end
    if special(s, EXPIRES) and not final and not s.attempt and not redis.call('ZSCORE', key.expiring, id) then
        Check.bad('I15', bare.job .. id, 'it would never expire', function()
            redis.call('ZADD', key.expiring, s.expires or now, id)
            hset(id, field.expires, s.expires or now)
        end)
    end
    if special(s, THEN) and redis.call('EXISTS', key.after .. id) == 0 then
        Check.bad('I2', bare.job .. id, 'the jobs after it are lost', function()
            hset(id, field.special, (string.gsub(s.special, THEN, '')))
        end)
    end
    if special(s, WINDOWS) and redis.call('EXISTS', key.windows .. id) == 0 then
        Check.bad('I2', bare.job .. id, 'its windows are lost', function()
            redis.call('SET', key.windows .. id, '\144')
            redis.call('ZADD', key.windows_wanted, now, id)
        end)
    end
    if s.group and redis.call('EXISTS', key.group .. s.group) == 0 and not final then
        Check.bad('I2', bare.job .. id, 'its group is lost', function()
            redis.call('HSET', key.group .. s.group, field.group.name, s.group, field.group.made, now, field.group.total, 1,
                field.group.pending, 1)
        end)
    end
end

-- Adds the ids that a job depends on to `into`. The record's extras (core/jobs/jobrecord.cpp) have them as [what on failure, id, id, …].
-- cmsgpack cannot unpack extras because of the windows in them, so the array is found by its key.
function Check.parents(extras, into)
    local _, at = string.find(extras, '\170depends_on', 1, true)
    while at do
        local first_ = string.byte(extras, at + 1) or 0
        local n, first = first_ - 145, at + 3
        if first_ == 220 then
            n, first = string.byte(extras, at + 2) * 256 + string.byte(extras, at + 3) - 1, at + 5
        end
        if first_ == 220 or (first_ > 144 and first_ < 160) then
            for i = 0, n - 1 do
                into[string.sub(extras, first + 17 * i + 1, first + 17 * i + 16)] = true
            end
            return
        end
        _, at = string.find(extras, '\170depends_on', at, true) -- no array: that was a tag with this text
    end
end

-- I14: a job counts as many dependencies as there are jobs that will tell it when they end.
function Check.dependencies(id, h, s)
    if s.state ~= ST_DEPENDS then
        return
    end
    local parents, waits = {}, 0
    if hasExtras(h) then
        local record = redis.call('GET', key.job .. id)
        local length = struct.unpack('<I2', record, h.extras + 28)
        Check.parents(string.sub(record, h.extras + 30, h.extras + 29 + length), parents)
    end
    if s.unique_ahead then
        parents[s.unique_ahead] = true
    end
    for parent in pairs(parents) do
        if redis.call('ZSCORE', key.dependents .. parent, id) then
            waits = waits + 1
            local st = tonumber(redis.call('HGET', key.state .. parent, field.state) or ST_READY)
            if FINAL[st] and not redis.call('ZSCORE', key.freeing, parent .. st) then
                Check.bad('I14', bare.job .. id, 'nobody tells it that the job it depends on has ended', function()
                    redis.call('ZADD', key.freeing, now, parent .. st)
                end)
            end
        end
    end
    if waits ~= tonumber(s.depends or 0) then
        Check.bad('I14', bare.job .. id, 'it waits for ' .. waits .. ' jobs and counts ' .. (s.depends or 0), function()
            hset(id, field.depends, waits)
            if waits == 0 then
                redis.call('ZREM', key.depends, id)
                redis.call('HDEL', key.state .. id, field.depends)
                place(id, h, s, tonumber(s.run_at or 0))
            end
        end)
    end
end

-- I1, I3: a deleted job is in the trash and has a final state.
function Check.trashed(id, s)
    if tonumber(redis.call('ZSCORE', key.trash, id) or 0) ~= tonumber(s.deleted) then
        Check.bad('I3', bare.job .. id, 'it was deleted and is not in the trash', function()
            redis.call('ZADD', key.trash, s.deleted, id)
        end)
    end
    if not FINAL[s.state] then
        Check.bad('I1', bare.job .. id, 'it is in the trash and goes on', function()
            s.state = ST_CANCELLED
            hset(id, field.state, ST_CANCELLED, field.finished, s.finished or now, field.reason, 'deleted')
        end)
    end
end

-- All checks of one job.
function Check.job(id)
    checking.checked = checking.checked + 1
    if #id ~= 16 then
        Check.bad('I17', bare.job .. id, 'it is no job', function()
            redis.call('UNLINK', key.job .. id)
        end)
        return
    end
    local h = Check.head(id)
    if not h then
        Check.bad('I17', bare.job .. id, 'its record cannot be read')
        return
    end
    local s = fields(id)
    if (s.tracked ~= nil) ~= (redis.call('ZSCORE', key.tracked, id) ~= false) then
        local text = s.tracked and 'it has a star that no list shows' or 'it is in the list of stars without one'
        Check.bad('I3', bare.job .. id, text, function()
            redis.call(s.tracked and 'ZADD' or 'ZREM', key.tracked, unpack(s.tracked and { now, id } or { id }))
        end)
    end
    Check.numbered(h.name)
    if s.deleted then
        Check.trashed(id, s)
        Check.places(id, h, s)
        return
    end
    Check.times(id, h, s)
    Check.fields(id, h, s)
    Check.places(id, h, s)
    Check.charged(id, s)
    Check.backlogged(id, s)
    Check.dependencies(id, h, s)
    Check.rest(id, h, s)
end

-- include checkshelves
-- include checkbuckets
