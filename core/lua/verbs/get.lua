#!lua flags=no-writes
-- One job with everything that is known of it.
-- KEYS[1] prefix. ARGV: id.
-- Reply: now, record (nil: no such job), fields of s:<id> (flat), attempts, lease expires, whether a result waits (0 or 1),
-- pushes of `then` ('' for none).
-- include base

local id = ARGV[1]
local record = redis.call('GET', P .. 'j:' .. id)
if not record then
    return { now, false }
end
return { now, record, redis.call('HGETALL', P .. 's:' .. id), redis.call('LRANGE', P .. 'h:' .. id, 0, -1),
    tonumber(redis.call('ZSCORE', RUNNING, id) or 0), redis.call('EXISTS', P .. 'res:' .. id), redis.call('GET', P .. 't:' .. id) or '' }
