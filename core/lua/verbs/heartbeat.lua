#!lua library=heartbeat flags=allow-oom
-- Renews leases and stores progress: transitions 5 (`heartbeat`) and 6 (`progress`).
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: id, lease, done, total ('' for no progress), message
-- Reply now, transaction, for each {lease expires, whether the worker is to stop the job (0 or 1)} or a word (NOT_FOUND, LEASE_LOST),
--       hints.
-- include base
-- include state

local answers = {}
local changes = false -- nothing to see, unless progress is told
for at = 2, #ARGV, 5 do
    local id, lease = ARGV[at], ARGV[at + 1]
    local s = readState(id)
    local answer
    if not s then
        answer = redis.call('EXISTS', key.job .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    elseif s.state ~= ST_RUNNING or s.lease ~= lease then
        answer = 'LEASE_LOST'
    else
        readAttempt(id, s)
        local expires = math.min(now + tonumber(s.lease_ms), tonumber(s.deadline))
        redis.call('ZADD', key.running, 'XX', expires, id)
        if ARGV[at + 3] ~= '' then
            changes = field.changed.jobs
            redis.call('HSET', key.state .. id, field.heard, 1, field.done, ARGV[at + 2], field.total, ARGV[at + 3], field.progress,
                ARGV[at + 4])
        else
            redis.call('HSET', key.state .. id, field.heard, 1)
        end
        answer = { expires, s.cancel and 1 or 0 }
    end
    answers[#answers + 1] = answer
end
return { now, commit(ARGV[1], changes), answers, hints(0) }
