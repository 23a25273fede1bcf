#!lua library=enqueue
-- Pushes new jobs: transition 1 (`enqueue`). A repeated idempotency key gives the job that it made before: transition 2 (`repeat-enqueue`).
-- Jobs that have to make room for new ones are cancelled: 27 (`replace`), 28 (`drop`).
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] epoch of the matchers that read the jobs
-- ARGV[3…] for each job: id, record, run_at (ms, 0: none), delay (ms), idempotency key with its scope ('' for none), fingerprint (16
--          bytes or ''), options ('' for none; pieces/push.lua), buckets ('' for none), token that pushes ('' for none)
-- Reply now, transaction, for each job {state, id, whether it is the job of another push (0 or 1)} or a word (IDEMPOTENCY_MISMATCH, UNIQUE,
--       GROUP, NO_DEPENDENCY <index>, BACKLOG_FULL <constraint> <key>), hints. Instead of the answers the word EPOCH, when the matchers
--       have changed; then nothing was done.
-- include base
-- include record
-- include lanes
-- include ends
-- include push
-- include makeroom

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, 'EPOCH', { {}, {} } }
end
-- Makes room for a job in its backlogs. Returns an answer if it is not to be pushed. One that may not join its group drops no other. A job
-- whose unique key another job has needs no room: it is refused, or the other job stands for it, or it replaces that one, or waits for its
-- end.
local function admit(at)
    if ARGV[at + 7] == '' then
        return nil
    end
    local o = ARGV[at + 6] ~= '' and cmsgpack.unpack(ARGV[at + 6]) or {}
    if mayNotJoin(o) then
        return 'GROUP'
    end
    if o.unique and redis.call('EXISTS', key.unique .. o.unique) == 1 then
        return nil
    end
    local waits = tonumber(ARGV[at + 2]) > now or tonumber(ARGV[at + 3]) > 0 or o.depends_on or o.windows
    return Backlog.admit(ARGV[at + 7], head(ARGV[at + 1]), not waits)
end

-- How many jobs from this place on are plain: they have no time, no keys, no options and no bound on a backlog.
local function plainFrom(at)
    local n = 0
    while at < #ARGV and ARGV[at + 2] == '0' and ARGV[at + 3] == '0' and ARGV[at + 4] == '' and ARGV[at + 6] == ''
        and (ARGV[at + 7] == '' or not Backlog.bounds(ARGV[at + 7])) do
        at, n = at + 9, n + 1
    end
    return n
end

-- Pushes a job that is not plain. Returns the answer.
local function enqueue(at)
    local id, record, idem, print = ARGV[at], ARGV[at + 1], ARGV[at + 4], ARGV[at + 5]
    local known = idem ~= '' and redis.call('GET', key.idempotency_key .. redis.sha1hex(idem))
    local answer
    if known and string.sub(known, 1, 16) ~= id then
        answer = string.sub(known, 17) == print and { stateOf(string.sub(known, 1, 16)), string.sub(known, 1, 16), 1 }
            or 'IDEMPOTENCY_MISMATCH'
    elseif known or ARGV[at + 7] ~= '' and redis.call('EXISTS', key.job .. id) == 1 then
        -- A repeated call; the job may be removed by now. For jobs without buckets and keys, push() finds this out.
        answer = { stateOf(id), id, 0 }
    else
        answer = admit(at) or push(id, record, tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 6], ARGV[at + 7], epoch)
        if ARGV[at + 8] ~= '' and type(answer) == 'table' and answer[3] == 1 then
            redis.call('HSET', key.state .. answer[2], field.sharer .. ARGV[at + 8], 1)
        end
        if idem ~= '' and not known and type(answer) == 'table' then
            local hash = redis.sha1hex(idem)
            redis.call('SET', key.idempotency_key .. hash, answer[2] .. print, 'PX', limit.idempotency_ms)
            redis.call('ZADD', key.idempotency, now + limit.idempotency_ms, hash)
            if redis.call('ZCARD', key.idempotency) > limit.idempotency_keys then
                local oldest = redis.call('ZPOPMIN', key.idempotency)
                redis.call('DEL', key.idempotency_key .. oldest[1])
            end
        end
    end
    return answer
end

local answers, at = {}, 3
while at < #ARGV do
    local plain = plainFrom(at)
    if plain > 0 then
        pushPlain(at, plain, answers)
        at = at + 9 * plain
    else
        answers[#answers + 1] = enqueue(at)
        at = at + 9
    end
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, { {}, unpack(hints(0), 2) } } -- the caller knows what it enqueued itself
