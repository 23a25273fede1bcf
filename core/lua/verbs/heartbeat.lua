#!lua flags=allow-oom
-- Transitions 5 (`heartbeat`) and 6 (`progress`): renews leases and takes progress.
-- KEYS[1] prefix. ARGV: engine, then for each: id, lease, done, total ('' for no progress), message.
-- Reply: now, transaction, for each {lease expires, cancel (0 or 1)} or a word, hints.
-- include base
-- include record
-- include state

local answers = {}
for at = 2, #ARGV, 5 do
    local id, lease = ARGV[at], ARGV[at + 1]
    local s = readState(id)
    local answer
    if not s then
        answer = redis.call('EXISTS', P .. 'j:' .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    elseif s.st ~= ST_RUNNING or s.l ~= lease then
        answer = 'LEASE_LOST'
    else
        readAttempt(id, s)
        local expires = math.min(now + tonumber(s.lm), tonumber(s.dl))
        redis.call('ZADD', RUNNING, 'XX', expires, id)
        if ARGV[at + 3] ~= '' then
            redis.call('HSET', P .. 's:' .. id, 'hb', 1, 'pgd', ARGV[at + 2], 'pgt', ARGV[at + 3], 'pgm', ARGV[at + 4])
        else
            redis.call('HSET', P .. 's:' .. id, 'hb', 1)
        end
        answer = { expires, s.cx and 1 or 0 }
    end
    answers[#answers + 1] = answer
end
return { now, commit(ARGV[1]), answers, hints(0) }
