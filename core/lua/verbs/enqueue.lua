#!lua
-- Transitions 1 (`enqueue`) and 2 (`repeat-enqueue`): new jobs become ready, scheduled or depends; a key used before gives the job it
-- made. And 27 (`replace`), 28 (`drop`): jobs that make room for new ones.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] epoch of the matchers that read the jobs
-- ARGV[3…] for each job: id, record, run_at (ms, 0: none), delay (ms), idempotency key with its scope ('' for none), fingerprint (16
--          bytes or ''), options ('' for none; pieces/push.lua), buckets ('' for none)
-- Reply now, transaction, for each job {state, id, duplicate} or a word (IDEMPOTENCY_MISMATCH, UNIQUE, NO_DEPENDENCY <index>,
--       BACKLOG_FULL <constraint> <key>), hints. Or, in the answers' place, the word EPOCH: the matchers have changed, nothing was done.
-- include base
-- include record
-- include lanes
-- include ends
-- include push
-- include makeroom

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, 'EPOCH', { {}, {} } }
end
-- A job that one in place may answer for adds nothing to a backlog, or takes that one's place in it.
local function admit(at)
    if ARGV[at + 7] == '' then
        return nil
    end
    local o = ARGV[at + 6] ~= '' and cmsgpack.unpack(ARGV[at + 6]) or {}
    if o.unique and redis.call('EXISTS', key.unique .. o.unique) == 1 then
        return nil
    end
    local waits = tonumber(ARGV[at + 2]) > now or tonumber(ARGV[at + 3]) > 0 or o.depends_on or o.windows
    return Backlog.admit(ARGV[at + 7], head(ARGV[at + 1]), not waits)
end

local answers = {}
for at = 3, #ARGV, 8 do
    local id, record, idem, print = ARGV[at], ARGV[at + 1], ARGV[at + 4], ARGV[at + 5]
    local known = idem ~= '' and redis.call('GET', key.idempotency_key .. redis.sha1hex(idem))
    local answer
    if known and string.sub(known, 1, 16) ~= id then
        answer = string.sub(known, 17) == print and { stateOf(string.sub(known, 1, 16)), string.sub(known, 1, 16), 1 }
            or 'IDEMPOTENCY_MISMATCH'
    elseif known or ARGV[at + 7] ~= '' and redis.call('EXISTS', key.job .. id) == 1 then
        answer = { stateOf(id), id, 0 } -- this very call again, the job may be gone by now; of jobs in no bucket push() finds that out
    else
        answer = admit(at) or push(id, record, tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 6], ARGV[at + 7], epoch)
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
    answers[#answers + 1] = answer
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, { {}, unpack(hints(0), 2) } } -- the caller knows what it enqueued itself
