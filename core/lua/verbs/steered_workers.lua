#!lua flags=no-writes
-- The workers that are registered or draining.
-- KEYS[1] the namespace's prefix
-- ARGV[1] a version whose workers the caller has ('' for none; no rows then)
-- Reply now, version, for each: worker, registration ('' for none), the token that registered it, draining ('' or 1).
-- include base

local version = redis.call('GET', key.steering) or '0'
local rows = {}
if ARGV[1] ~= version then
    for i, worker in ipairs(redis.call('SRANDMEMBER', key.steered_workers, limit.steered_workers)) do
        local its = redis.call('HMGET', key.worker_record .. redis.sha1hex(worker), field.worker_record.registration,
            field.worker_record.owner, field.worker_record.draining)
        rows[i] = { worker, its[1] or '', its[2] or '', its[3] or '' }
    end
end
return { now, version, rows }
