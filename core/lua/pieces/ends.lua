-- How a job ends (any state → final), and what follows from that: its result is kept, its unique key is freed, its group counts it, the
-- jobs that depend on it are told, and the jobs of its `then` are pushed.
-- include record
-- include lanes
-- include place
-- include state
-- include failuregroups
-- include retaining

local function keepResult(id, object, ttl)
    redis.call('SET', key.result .. id, object, 'PX', ttl)
    redis.call('ZADD', key.results, now + ttl, id)
end

-- Frees a job's unique key if the job still has it. The key goes back to the job ahead, which had it before, if that one has not ended.
local function freeUnique(id, s)
    local itsKey = key.unique .. s.unique
    if redis.call('GET', itsKey) == id then
        local ahead = redis.call('HGET', key.state .. id, field.unique_ahead)
        local a = ahead and redis.call('HMGET', key.state .. ahead, field.state, field.unique_until)
        if a and a[1] and not FINAL[tonumber(a[1])] and a[2] == 'f' then
            redis.call('SET', itsKey, ahead)
        else
            redis.call('DEL', itsKey)
        end
    end
end

-- The id (a UUIDv7, as the master makes them) of a job that a script makes. In the same millisecond, the same parent and place give the
-- same id.
local function derivedId(parent, place_)
    local hash = redis.sha1hex(parent .. place_)
    local bytes = {}
    for i = 1, 8 do
        bytes[i] = tonumber(string.sub(hash, 2 * i - 1, 2 * i), 16)
    end
    local high = math.floor(now / 65536)
    return struct.pack('>I4I2', high, now % 65536) .. string.char(112 + math.floor(place_ / 256) % 16, place_ % 256)
        .. string.char(128 + bytes[1] % 64, unpack(bytes, 2))
end

local push -- defined in push.lua; called for the jobs of a `then` and the callbacks of groups

local function pushDerived(parent, at, packed)
    local answer = push(derivedId(parent, at), packed[1], packed[2], packed[3], packed[4])
    if type(answer) ~= 'table' then
        tell(parent, 'then_refused', 'master', 0, cmsgpack.pack({ index = at - 1, why = answer }))
    end
end

-- A group is the token's that made it. One that was made without a token, or whose token is revoked, is nobody's, and becomes that of the
-- first pusher who uses it. Returns whether it is another's.
local function isOthersGroup(hash, token)
    local its = redis.call('HGET', key.group .. hash, field.group.token)
    return its and its ~= token and redis.call('HEXISTS', key.tokens, its) == 1
end

local function isSharedGroup(hash)
    return redis.call('HGET', key.group .. hash, field.group.shared) == '1'
end

-- Whether a job with these options may not be put into its group.
local function mayNotJoin(o)
    local hash = o.own_groups and redis.sha1hex(o.group)
    return hash and isOthersGroup(hash, o.group_token) and not isSharedGroup(hash)
end

-- Makes the group if it is not there, and gives it to the token if that is to have it. `onlyOwn`: the token has only its own groups.
local function useGroup(hash, name, token, onlyOwn)
    local itsKey = key.group .. hash
    local isNew = redis.call('HSETNX', itsKey, field.group.name, name) == 1
    if isNew then
        redis.call('HSET', itsKey, field.group.made, now)
    end
    if token and token ~= '' and (isNew or onlyOwn and not isOthersGroup(hash, token)) then
        redis.call('HSET', itsKey, field.group.token, token)
    end
    return isNew
end

-- Groups count their jobs. A group's callback is enqueued once, when the group is closed and its last job has ended.
local function groupJoined(hash, o)
    local itsKey = key.group .. hash
    useGroup(hash, o.group, o.group_token, o.own_groups)
    redis.call('HINCRBY', itsKey, field.group.total, 1)
    redis.call('HINCRBY', itsKey, field.group.pending, 1)
    redis.call('HDEL', itsKey, field.group.ended)
    redis.call('ZREM', key.groups, hash)
end

local function groupMayCall(hash)
    local itsKey = key.group .. hash
    local g = redis.call('HMGET', itsKey, field.group.pending, field.group.open, field.group.callback, field.group.callback_id,
        field.group.total, field.group.called, field.group.refused)
    if tonumber(g[1] or 0) > 0 or tonumber(g[5] or 0) == 0 then
        return
    end
    redis.call('ZADD', key.groups, now + limit.group_kept_ms, hash) -- a group that nobody closes is deleted, too
    if g[2] == '1' then
        return
    end
    redis.call('HSETNX', itsKey, field.group.ended, now)
    if g[3] and not g[6] and not g[7] then
        local id = derivedId(g[4], 1) -- it sorts among other ids as one made now
        redis.call('HSET', itsKey, field.group.called, id)
        local packed = cmsgpack.unpack(g[3])[1]
        local answer = push(id, packed[1], packed[2], packed[3], packed[4])
        if type(answer) == 'table' then
            redis.call('HSET', itsKey, field.group.called, answer[2]) -- by its unique key it may be a job that was there before
        else
            redis.call('HDEL', itsKey, field.group.called)
            redis.call('HSET', itsKey, field.group.refused, answer)
            Failures.note('', head(packed[1]).name, '', 'refused', 'The callback of a group was refused: ' .. answer, false)
            redis.call('XADD', key.audit, 'MAXLEN', '~', limit.audit_entries, '*', 'actor', 'master', 'what', 'callback refused',
                'group', redis.call('HGET', itsKey, field.group.name), 'text', answer)
        end
    end
end

local GROUP_FIELD = { [ST_SUCCEEDED] = field.group.succeeded, [ST_FAILED] = field.group.failed, [ST_CANCELLED] = field.group.cancelled }

-- Groups with jobs that ended in this call. Callbacks wait until the end of the call, because another job may join the group before that,
-- such as the one that replaces the job that ended.
local leftGroups = {}

local function groupLeft(hash, state)
    redis.call('HINCRBY', key.group .. hash, field.group.pending, -1)
    redis.call('HINCRBY', key.group .. hash, GROUP_FIELD[state], 1)
    leftGroups[#leftGroups + 1] = hash
end

local function settleGroups()
    while leftGroups[1] do
        local hashes = leftGroups
        leftGroups = {}
        for _, hash in ipairs(hashes) do
            groupMayCall(hash) -- its callback may end a job of another group, so leftGroups may grow
        end
    end
end

-- Counts a final job of a group as pending again.
local function groupRejoined(hash, state)
    local itsKey = key.group .. hash
    redis.call('HINCRBY', itsKey, field.group.pending, 1)
    redis.call('HINCRBY', itsKey, GROUP_FIELD[state], -1)
    redis.call('HDEL', itsKey, field.group.ended)
    redis.call('ZREM', key.groups, hash)
end

-- Jobs that ended are in `freeing` (id and final state) until all jobs that depend on them have been told. A dependent in the trash is told
-- as well, because it may be restored.
local someDepend, someFreed = nil, false

local function anyoneDepends()
    if someDepend == nil then
        someDepend = someRare() and redis.call('EXISTS', key.depends, key.trash) > 0
    end
    return someDepend
end

-- What follows from a job's end, besides its final state.
local function ended(id, state, s)
    if s.special then
        readInto(s, id, SPECIAL_FIELDS)
        if s.unique then
            freeUnique(id, s)
        end
        if special(s, EXPIRES) then
            redis.call('ZREM', key.expiring, id)
        end
        if special(s, WINDOWS) then
            redis.call('ZREM', key.windows_wanted, id)
        end
        if special(s, THEN) and state == ST_SUCCEEDED then
            for i, packed in ipairs(cmsgpack.unpack(redis.call('GET', key.after .. id))) do
                pushDerived(id, i, packed)
            end
        end
        if s.group then
            groupLeft(s.group, state)
        end
    end
    if anyoneDepends() and redis.call('EXISTS', key.dependents .. id) == 1 then
        redis.call('ZADD', key.freeing, now, id .. state)
        someFreed = true
    end
end

-- Makes a job final. `fields` are further fields of its state.
local function finalise(id, state, s, fields)
    redis.call('HSET', key.state .. id, field.state, state, field.finished, now, unpack(fields))
    redis.call('ZADD', FINAL[state], now, id)
    Retention.kept(id, state)
    becameFinal[#becameFinal + 1] = id
    ended(id, state, s)
end

-- Ends a job that is not running: because of a job it depends on, because it expired, or to make room in a full backlog.
local function endUnstarted(id, h, s, state, reason, message)
    local fields = { field.reason, reason, field.message, message }
    if state == ST_FAILED then
        fields[5], fields[6] = field.failure_group, Failures.note(id, h.name, '', reason, message, true)
    end
    finalise(id, state, s, fields)
    tell(id, reason, 'master', 0, '')
    if state == ST_FAILED then
        count(field.totals.failed, 1)
        countName(nameNumber(h.name), field.name_totals.failed, 1)
        if h.keep then
            keepResult(id, failureObject('other', false, message), resultTtl(h))
        end
    else
        count(field.totals.cancelled, 1)
    end
end

local function endByDependency(id, h, s, parentState, onFailure)
    endUnstarted(id, h, s, onFailure == 'c' and ST_CANCELLED or ST_FAILED, 'dependency',
        parentState == ST_CANCELLED and 'A job it depends on was cancelled.' or 'A job it depends on failed.')
end

-- Tells at most `budget` dependents that a job they depend on has ended. Unless `left` is set, it does nothing when no job of this call has
-- dependents. Returns whether there are more to tell, and what is left of the budget.
local function tellDependents(budget, left)
    if not someFreed and not left then
        return false, budget
    end
    while budget > 0 do
        local first = redis.call('ZRANGE', key.freeing, 0, 0)[1]
        if not first then
            return false, budget
        end
        local parent, parentState = string.sub(first, 1, 16), tonumber(string.sub(first, 17))
        local children = redis.call('ZPOPMIN', key.dependents .. parent, budget)
        for i = 1, #children, 2 do
            local id = children[i]
            local s = readState(id)
            if s and s.state == ST_DEPENDS then
                local d = redis.call('HMGET', key.state .. id, field.depends, field.on_failure, field.run_at, field.unique_ahead,
                    field.unique_only)
                local h = readHead(id)
                if parentState == ST_SUCCEEDED or d[2] == 'r' or (d[5] and d[4] == parent) then
                    if redis.call('HINCRBY', key.state .. id, field.depends, -1) == 0 then
                        redis.call('ZREM', key.depends, id)
                        redis.call('HDEL', key.state .. id, field.depends)
                        place(id, h, s, tonumber(d[3]))
                        tell(id, 'freed', 'master', 0, '')
                    end
                else
                    leavePlace(id, s, h)
                    endByDependency(id, h, s, parentState, d[2])
                end
            elseif s then
                local d = redis.call('HMGET', key.state .. id, field.deleted_state, field.unique_ahead, field.unique_only)
                if d[1] == tostring(ST_DEPENDS) then -- in the trash: it is told when restored
                    redis.call('HINCRBY', key.state .. id, field.depends, -1)
                    if parentState ~= ST_SUCCEEDED and not (d[3] and d[2] == parent) then
                        redis.call('HSET', key.state .. id, field.broken_by, parentState)
                    end
                end
            end
        end
        budget = budget - math.max(1, #children / 2)
        if redis.call('EXISTS', key.dependents .. parent) == 0 then
            redis.call('ZREM', key.freeing, first)
        end
    end
    return redis.call('EXISTS', key.freeing) == 1, budget
end

-- Does what follows from the ends of a call, at its close: groups call back, and at most `budget` dependents are told. Returns whether
-- there are more of these. `left`: also the dependents that earlier calls left over, as the sweep does.
local function followUp(budget, left)
    local more
    repeat
        settleGroups()
        more, budget = tellDependents(budget, left)
    until not leftGroups[1]
    return more
end

-- include push
