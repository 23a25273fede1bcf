#!lua
-- Notes what an engine heard of workers, and takes those out of the list of which nothing is kept any more. No job changes.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: worker, heard (1: it was heard of just now), what it says of itself ('' as before), successes, failures, how long
--          these attempts took (four bytes each), why it could not be called ('' nothing new)
-- Reply now.
-- include base

local function noteWorker(at)
    local worker, trouble = ARGV[at], ARGV[at + 6]
    local itsKey = key.worker_record .. redis.sha1hex(worker)
    local known = redis.call('EXISTS', itsKey) == 1
    if not known and (ARGV[at + 1] ~= '1' or redis.call('ZCARD', key.workers) >= limit.workers) then
        return
    end
    if not known then
        redis.call('ZADD', key.workers, 0, worker)
        redis.call('HSET', itsKey, field.worker_record.first, now)
    end
    if ARGV[at + 1] == '1' then
        redis.call('HSET', itsKey, field.worker_record.heard, now)
    end
    if ARGV[at + 2] ~= '' then
        redis.call('HSET', itsKey, field.worker_record.told, ARGV[at + 2])
    end
    if ARGV[at + 5] ~= '' then
        local runs = (redis.call('HGET', itsKey, field.worker_record.runs) or '') .. ARGV[at + 5]
        redis.call('HINCRBY', itsKey, field.worker_record.succeeded, ARGV[at + 3])
        redis.call('HINCRBY', itsKey, field.worker_record.failed, ARGV[at + 4])
        redis.call('HSET', itsKey, field.worker_record.runs, string.sub(runs, -4 * limit.worker_runs))
    end
    if trouble ~= '' then
        redis.call('HSET', itsKey, field.worker_record.trouble, trouble, field.worker_record.trouble_at, now)
    end
    if redis.call('SISMEMBER', key.steered_workers, worker) == 0 then
        redis.call('PEXPIRE', itsKey, limit.worker_kept_ms)
    end
end

for _, worker in ipairs(redis.call('ZRANDMEMBER', key.workers, limit.items)) do
    if redis.call('EXISTS', key.worker_record .. redis.sha1hex(worker)) == 0 then
        redis.call('ZREM', key.workers, worker)
    end
end
for at = 2, #ARGV, 7 do
    noteWorker(at)
end
return { now }
