-- The invariants of a namespace, looked at job by job and key by key: what fsck finds and repairs. A look and its repair are one script
-- call, so whatever live masters do, nothing is half done here, and nothing is found that is not so. Without a repair nothing is written.
local Check = { found = {}, checked = 0, repair = ARGV[2] == '1' }
local SLACK_MS = 60000 -- by so much Redis' clock may have been set back without notice

-- Notes one breach. `mend` is called when it is to be repaired.
function Check.bad(invariant, key, text, mend)
    local mended = 0
    if Check.repair and mend then
        mend()
        mended = 1
        redis.call('XADD', P .. 'audit', 'MAXLEN', '~', limit.audit_entries, '*', 'actor', 'fsck', 'what', 'repair', 'invariant', invariant,
            'key', key, 'text', text)
    end
    Check.found[#Check.found + 1] = { invariant, key, text, mended }
end

-- The end of a call: what was repaired is settled as any other change is.
function Check.answer(...)
    return { now, Check.repair and Check.found[1] and commit(ARGV[1]) or 0, Check.checked, Check.found, ... }
end

local function hset(id, ...)
    redis.call('HSET', P .. 's:' .. id, ...)
end

local function hasJob(id)
    return #id == 16 and redis.call('EXISTS', P .. 'j:' .. id) == 1
end

local function fields(id)
    local s, flat = {}, redis.call('HGETALL', P .. 's:' .. id)
    for i = 1, #flat, 2 do
        s[flat[i]] = flat[i + 1]
    end
    s.st = tonumber(s.st or ST_READY)
    return s
end

local PLACES = { [ST_SCHEDULED] = SCHEDULED, [ST_DEPENDS] = DEPENDS, [ST_RUNNING] = RUNNING, [ST_AWAITING] = AWAITING,
    [ST_SUCCEEDED] = FINAL[6], [ST_FAILED] = FINAL[7], [ST_CANCELLED] = FINAL[8] }

-- As nameNumber(), which would write.
function Check.number(name)
    return redis.call('HGET', P .. 'lanes', name) or ''
end

-- A job's head; nothing when it is gone or cannot be read.
function Check.head(id)
    local ok, h = pcall(readHead, id)
    return ok and h and string.byte(h.record) == 1 and h or nil
end

-- Where a job stands by its state, and by which order.
function Check.place(h, s)
    if s.st == ST_READY then
        return P .. 'lane:' .. (s.la or Check.number(h.name)), h.priority
    end
    local order = { [ST_SCHEDULED] = s.ra, [ST_SUCCEEDED] = s.fi, [ST_FAILED] = s.fi, [ST_CANCELLED] = s.fi, [ST_AWAITING] = s.dl }
    return PLACES[s.st], tonumber(order[s.st])
end

-- I11: no stored time lies further ahead than its bound, or its own kind allows.
function Check.times(id, h, s)
    local bounds = { ra = limit.ahead_ms, xp = limit.ahead_ms, fi = 0, t = 0, rt = 0 }
    bounds.dl = s.st == ST_RUNNING and h.timeout or s.st == ST_AWAITING and limit.awaiting_ms or nil
    for field, bound in pairs(bounds) do
        local at = tonumber(s[field])
        if at and at > now + bound + SLACK_MS then
            Check.bad('I11', 'j:' .. id, 'its time ' .. field .. ' lies too far ahead', function()
                s[field] = tostring(now)
                hset(id, field, now)
                if field == 'xp' and redis.call('ZSCORE', EXPIRING, id) then
                    redis.call('ZADD', EXPIRING, now, id)
                elseif field == 'dl' then
                    redis.call('ZADD', PLACES[s.st], 'XX', now, id)
                end
            end)
        end
    end
    local goes = redis.call('ZSCORE', P .. 'purge', id)
    if goes and tonumber(goes) > now + limit.retention_ms + SLACK_MS then
        Check.bad('I11', 'j:' .. id, 'it goes too far ahead', function()
            redis.call('ZREM', P .. 'purge', id)
            Retention.ended[#Retention.ended + 1] = { id, s.st, now }
        end)
    end
end

-- I4, I6, I7: what the fields of one job must say of each other.
function Check.fields(id, h, s)
    if s.st < ST_SCHEDULED or s.st > ST_CANCELLED then
        Check.bad('I1', 'j:' .. id, 'its state is none', function()
            s.st, s.rs, s.fi = ST_FAILED, 'fsck', tostring(now)
            s.fg = Failures.note(id, h.name, '', 'fsck', 'Its state was none.', true)
            hset(id, 'st', ST_FAILED, 'rs', 'fsck', 'fi', now, 'fg', s.fg)
        end)
    end
    if s.st == ST_RUNNING or s.st == ST_AWAITING then
        if not s.l or not s.a or string.match(s.l, '^(%d+)%.%x+$') ~= s.a or not s.dl then
            Check.bad('I4', 'j:' .. id, 'it is in hands without a lease', function()
                s.a = s.a and tonumber(s.a) and s.a or '1'
                s.l, s.dl = s.a .. '.0', tostring(now)
                hset(id, 'a', s.a, 'l', s.l, 'dl', now, 't', s.t or now, 'lm', s.lm or 1000, 'ln', s.ln or nameNumber(h.name), 'w',
                    s.w or '')
                redis.call('ZADD', PLACES[s.st], now, id)
            end)
        end
    end
    if s.st == ST_AWAITING and redis.call('GET', P .. 'msg:' .. (s.mk or '')) ~= id then
        Check.bad('I4', 'j:' .. id, 'no message can reach it', function() -- as if none had come in time
            s.dl, s.mk = tostring(now), s.mk or redis.sha1hex(id)
            redis.call('SET', P .. 'msg:' .. s.mk, id, 'NX')
            hset(id, 'dl', now, 'mk', s.mk)
            redis.call('ZADD', AWAITING, now, id)
        end)
    end
    local most = math.max(h.retries, tonumber(s.fo or 0)) + 1
    if tonumber(s.f or 0) > most then
        Check.bad('I6', 'j:' .. id, 'it failed more often than it may', function()
            hset(id, 'f', most)
        end)
    end
    if s.st == ST_FAILED and (s.rs or '') == '' then
        Check.bad('I7', 'j:' .. id, 'it failed without a reason', function()
            hset(id, 'rs', 'other')
        end)
    end
    if FINAL[s.st] and not tonumber(s.fi) then
        Check.bad('I1', 'j:' .. id, 'it ended at no time', function()
            s.fi = tostring(now)
            hset(id, 'fi', now)
        end)
    end
end

-- I1, I3: a job stands where its state says, and nowhere else.
function Check.places(id, h, s)
    local where, order = Check.place(h, s)
    local plain = Check.number(h.name)
    local places = { [P .. 'lane:' .. (s.la or plain)] = true, [P .. 'lane:' .. plain] = true }
    for _, set in pairs(PLACES) do
        places[set] = true
    end
    for set in pairs(places) do
        local score = redis.call('ZSCORE', set, id)
        if score and (set ~= where or s.tr) then
            Check.bad('I1', 'j:' .. id, 'it stands in ' .. string.sub(set, #P + 1) .. ', too', function()
                Check.drop(set, id)
            end)
        elseif s.tr then -- where it belongs is the trash
        elseif set == where and not score then
            Check.bad('I3', 'j:' .. id, 'it stands in no index', function()
                Check.put(id, h, s, where, order or now)
            end)
        elseif set == where and order and tonumber(score) ~= order then
            local text = 'it stands in ' .. string.sub(set, #P + 1) .. ' by another order'
            Check.bad(s.st == ST_READY and 'I13' or 'I1', 'j:' .. id, text, function()
                Check.drop(set, id)
                Check.put(id, h, s, where, order)
            end)
        elseif s.st == ST_RUNNING and set == where and tonumber(s.dl) and tonumber(score) > tonumber(s.dl) then
            Check.bad('I4', 'j:' .. id, 'its lease outlives its deadline', function()
                redis.call('ZADD', RUNNING, s.dl, id)
            end)
        end
    end
end

-- A lane is left and entered with its head and the counts of ready jobs.
function Check.drop(set, id)
    local lane = string.match(string.sub(set, #P + 1), '^lane:(.*)$')
    if not lane then
        redis.call('ZREM', set, id)
        return
    end
    settleLanes()
    local head, score = lanePeek(lane)
    local known = laneInfo(lane)
    if redis.call('ZREM', set, id) == 1 then
        count('ready', -1)
        if not known then
            redis.call('ZREM', READY_INDEX, id .. lane)
            return
        elseif known[4][1] then
            laneCounted(lane, -1, { 0, id })
            listRemove(known[1], id)
        end
        laneMoved(lane, head, score)
    end
end

-- A ready job that was lost is read by the matchers again, if there are any.
function Check.put(id, h, s, where, order)
    if s.st == ST_READY then
        redis.call('HDEL', P .. 's:' .. id, 'la')
        laneAdd(h, id, nil)
        settleLanes()
    else
        redis.call('ZADD', where, order, id)
    end
end

-- I2, I3, I15, I16: what is special of a job, what it is counted by, and when it goes.
function Check.rest(id, h, s)
    local final = FINAL[s.st]
    if final and not redis.call('ZSCORE', P .. 'purge', id) then
        Check.bad('I16', 'j:' .. id, 'it ended and would never go', function()
            Retention.kept(id, s.st)
        end)
    end
    if s.kn and not redis.call('ZSCORE', P .. 'kept:' .. s.kn, id) then
        Check.bad('I3', 'j:' .. id, 'it is not counted with those of its name', function()
            redis.call('ZADD', P .. 'kept:' .. s.kn, s.fi or now, id)
        end)
    end
    if s.st == ST_FAILED and s.fg and redis.call('EXISTS', P .. 'fg:' .. s.fg) == 1 and not redis.call('ZSCORE', P .. 'fgf:' .. s.fg, id)
        and not Failures.groups[s.fg] then
        Check.bad('I3', 'j:' .. id, 'its group of failures does not know it', function()
            redis.call('ZADD', P .. 'fgf:' .. s.fg, s.fi or now, id)
        end)
    end
    if special(s, EXPIRES) and not final and not s.a and not redis.call('ZSCORE', EXPIRING, id) then
        Check.bad('I15', 'j:' .. id, 'it would never expire', function()
            redis.call('ZADD', EXPIRING, s.xp or now, id)
            hset(id, 'xp', s.xp or now)
        end)
    end
    if special(s, THEN) and redis.call('EXISTS', P .. 't:' .. id) == 0 then
        Check.bad('I2', 'j:' .. id, 'the jobs after it are lost', function()
            hset(id, 'ex', (string.gsub(s.ex, THEN, '')))
        end)
    end
    if special(s, WINDOWS) and redis.call('EXISTS', P .. 'w:' .. id) == 0 then
        Check.bad('I2', 'j:' .. id, 'its windows are lost', function()
            redis.call('SET', P .. 'w:' .. id, '\144')
            redis.call('ZADD', P .. 'wwant', now, id)
        end)
    end
    if s.gr and redis.call('EXISTS', P .. 'g:' .. s.gr) == 0 and not final then
        Check.bad('I2', 'j:' .. id, 'its group is lost', function()
            redis.call('HSET', P .. 'g:' .. s.gr, 'name', s.gr, 'at', now, 'total', 1, 'pending', 1)
        end)
    end
end

-- The ids in a record's extras (core/jobs/jobrecord.cpp), which cmsgpack cannot read for their windows: [what on failure, id, id, …].
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
        _, at = string.find(extras, '\170depends_on', at, true) -- that was a tag
    end
end

-- I14: who waits for others is told by as many as it counts.
function Check.dependencies(id, h, s)
    if s.st ~= ST_DEPENDS then
        return
    end
    local parents, waits = {}, 0
    if hasExtras(h) then
        local record = redis.call('GET', P .. 'j:' .. id)
        local length = struct.unpack('<I2', record, h.extras + 28)
        Check.parents(string.sub(record, h.extras + 30, h.extras + 29 + length), parents)
    end
    if s.ua then
        parents[s.ua] = true
    end
    for parent in pairs(parents) do
        if redis.call('ZSCORE', P .. 'dep:' .. parent, id) then
            waits = waits + 1
            local st = tonumber(redis.call('HGET', P .. 's:' .. parent, 'st') or ST_READY)
            if FINAL[st] and not redis.call('ZSCORE', P .. 'freeing', parent .. st) then
                Check.bad('I14', 'j:' .. id, 'nobody tells it that the job it depends on has ended', function()
                    redis.call('ZADD', P .. 'freeing', now, parent .. st)
                end)
            end
        end
    end
    if waits ~= tonumber(s.dn or 0) then
        Check.bad('I14', 'j:' .. id, 'it waits for ' .. waits .. ' jobs and counts ' .. (s.dn or 0), function()
            hset(id, 'dn', waits)
            if waits == 0 then
                redis.call('ZREM', DEPENDS, id)
                redis.call('HDEL', P .. 's:' .. id, 'dn')
                place(id, h, s, tonumber(s.ra or 0))
            end
        end)
    end
end

-- In the trash a job has a final state and stands nowhere else.
function Check.trashed(id, s)
    if tonumber(redis.call('ZSCORE', P .. 'trash', id) or 0) ~= tonumber(s.tr) then
        Check.bad('I3', 'j:' .. id, 'it was deleted and is not in the trash', function()
            redis.call('ZADD', P .. 'trash', s.tr, id)
        end)
    end
    if not FINAL[s.st] then
        Check.bad('I1', 'j:' .. id, 'it is in the trash and goes on', function()
            s.st = ST_CANCELLED
            hset(id, 'st', ST_CANCELLED, 'fi', s.fi or now, 'rs', 'deleted')
        end)
    end
end

function Check.job(id)
    Check.checked = Check.checked + 1
    if #id ~= 16 then
        Check.bad('I17', 'j:' .. id, 'it is no job', function()
            redis.call('UNLINK', P .. 'j:' .. id)
        end)
        return
    end
    local h = Check.head(id)
    if not h then
        Check.bad('I17', 'j:' .. id, 'its record cannot be read')
        return
    end
    local s = fields(id)
    if (s.tk ~= nil) ~= (redis.call('ZSCORE', P .. 'tracked', id) ~= false) then
        Check.bad('I3', 'j:' .. id, s.tk and 'it has a star that no list shows' or 'it is in the list of stars without one', function()
            redis.call(s.tk and 'ZADD' or 'ZREM', P .. 'tracked', unpack(s.tk and { now, id } or { id }))
        end)
    end
    Check.numbered(h.name)
    if s.tr then
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
