#!lua library=limits flags=allow-oom
-- Makes, changes or deletes a matcher, and puts its constraints into force. Constraints that it no longer has are deleted.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] version of the matchers that the change was made from
-- ARGV[4] expected revision ('' any, '0' no matcher)
-- ARGV[5] its new revision
-- ARGV[6] whether a new epoch begins (0 or 1)
-- ARGV[7] the matcher, packed ('' deletes it)
-- ARGV[8] by whom
-- ARGV[9…] for each constraint: id, parameters
-- Reply now, transaction, a word (VERSION, REVISION, NOT_FOUND, FULL) or {version, epoch, edited at, {constraint, number, …}}, hints.
-- include base
-- include lanes
-- include bucket
-- include admission
-- include matcher

local id, expected, revision, packed = ARGV[2], ARGV[4], tonumber(ARGV[5]), ARGV[7]
local old, history = matcherRow(id), matcherHistory(id)
local function refusal()
    if tonumber(ARGV[3]) ~= tonumber(redis.call('GET', key.matcher_version) or 0) then
        return 'VERSION'
    elseif not old and (packed == '' or expected ~= '' and expected ~= '0') then
        return 'NOT_FOUND'
    elseif old and expected ~= '' and tonumber(expected) ~= old[2] then
        return 'REVISION'
    elseif revision ~= tonumber(redis.call('HGET', history, field.matcher_history.last) or 0) + 1 then
        return 'VERSION'
    elseif not old and redis.call('ZCARD', key.matcher_ids) >= limit.matchers then
        return 'FULL'
    end
end
local word = refusal()
if word then
    return { now, 0, word, hints(0) }
end

local had, numbers = {}, {}
for i = 1, old and #old[5] or 0, 2 do
    had[old[5][i]] = old[5][i + 1]
end
for at = 9, #ARGV, 2 do
    local number = had[ARGV[at]]
    if number and (constraintOf(tostring(number))
        or {})[field.constraints.kind] == cmsgpack.unpack(ARGV[at + 1])[field.constraints.kind] then
        had[ARGV[at]] = nil
    else
        number = redis.call('INCR', key.last_constraint) -- a constraint of another kind gets new buckets, for they keep other things
    end
    numbers[#numbers + 1], numbers[#numbers + 2] = ARGV[at], number
    putConstraint(tostring(number), ARGV[at + 1])
end
for _, number in pairs(had) do
    putConstraint(tostring(number), '')
end
if packed == '' then
    redis.call('HDEL', key.matchers, id)
    redis.call('ZREM', key.matcher_ids, id)
    redis.call('HSET', history, field.matcher_history.last, revision)
    redis.call('PEXPIRE', history, limit.matcher_history_ms)
else
    redis.call('HSET', key.matchers, id, cmsgpack.pack({ packed, revision, now, ARGV[8], numbers }))
    redis.call('ZADD', key.matcher_ids, 0, id)
    redis.call('HSET', history, field.matcher_history.last, revision, revision, cmsgpack.pack({ packed, revision, now, ARGV[8] }))
    redis.call('HDEL', history, revision - limit.matcher_revisions)
    redis.call('PERSIST', history)
end
if ARGV[6] == '1' then
    epoch = redis.call('INCR', key.epoch)
end
local version = redis.call('INCR', key.matcher_version)
return { now, commit(ARGV[1], field.changed.matchers), { version, epoch, now, numbers }, hints(0) }
