#!lua flags=allow-oom
-- Registers a worker that serves HTTP, deletes a worker, or lets it get no more jobs for a time.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] worker
-- ARGV[3] verb (register, delete, drain, resume)
-- ARGV[4] registration, packed by C++ (register only)
-- ARGV[5] its slots (register only)
-- ARGV[6] the token that asks ('' for none)
-- ARGV[7] whether it may change what another token registered (0 or 1)
-- Reply now, transaction, a word (OK, NOT_FOUND, OTHER, FULL).
-- include base

local worker, verb = ARGV[2], ARGV[3]
local itsKey = key.worker_record .. redis.sha1hex(worker)
local known = redis.call('EXISTS', itsKey) == 1
local its = redis.call('HMGET', itsKey, field.worker_record.registration, field.worker_record.owner, field.worker_record.draining)
local word = not known and verb ~= 'register' and 'NOT_FOUND'
local foreign = its[1] and (its[2] or '') ~= ARGV[6] or not its[1] and verb == 'delete' -- nobody registered a worker that asks by itself
if not word and foreign and ARGV[7] ~= '1' then
    word = 'OTHER'
end
if not word and (verb == 'register' or verb == 'drain') and not its[1] and not its[3]
    and redis.call('SCARD', key.steered_workers) >= limit.steered_workers then
    word = 'FULL'
end
if word then
    return { now, 0, word }
end
if verb == 'register' then
    redis.call('ZADD', key.workers, 0, worker)
    redis.call('HSETNX', itsKey, field.worker_record.first, now)
    redis.call('HSET', itsKey, field.worker_record.registration, ARGV[4], field.worker_record.slots, ARGV[5], field.worker_record.owner,
        ARGV[6], field.worker_record.heard, now)
    redis.call('HDEL', itsKey, field.worker_record.draining, field.worker_record.trouble, field.worker_record.trouble_at)
elseif verb == 'delete' then
    redis.call('UNLINK', itsKey)
    redis.call('ZREM', key.workers, worker)
elseif verb == 'drain' then
    redis.call('HSET', itsKey, field.worker_record.draining, 1)
else
    redis.call('HDEL', itsKey, field.worker_record.draining)
end
if verb == 'delete' or verb == 'resume' and not its[1] then
    redis.call('SREM', key.steered_workers, worker)
    redis.call('PEXPIRE', itsKey, limit.worker_kept_ms)
else
    redis.call('SADD', key.steered_workers, worker)
    redis.call('PERSIST', itsKey)
end
redis.call('INCR', key.steering)
return { now, commit(ARGV[1]), 'OK' }
