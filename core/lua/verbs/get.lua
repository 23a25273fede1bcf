#!lua flags=no-writes
-- One job with everything that is known of it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- Reply now, record (nil: no such job), fields of its state (flat), its history, when its lease expires (0: not running), whether a result
--       waits (0 or 1), the pushes of its `then` ('' for none).
-- include base

local id = ARGV[1]
local record = redis.call('GET', key.job .. id)
if not record then
    return { now, false }
end
return { now, record, redis.call('HGETALL', key.state .. id), redis.call('LRANGE', key.history .. id, 0, -1),
    tonumber(redis.call('ZSCORE', key.running, id) or 0), redis.call('EXISTS', key.result .. id), redis.call('GET', key.after .. id) or '' }
