#!lua flags=no-writes
-- Buckets of one constraint.
-- KEYS[1] the namespace's prefix
-- ARGV[1] constraint's number
-- ARGV[2] cursor
-- Reply now, next cursor, for each {bucket, key, used, ready, would hold, admits cost 1 (0 or 1), opens at, {holders…}, c, o or h of a
--       breaker (closed, open, half-open)}.
-- include base
-- include bucket
-- include kinds
-- include admission

local found = redis.call('SSCAN', key.constraint_buckets .. ARGV[1], ARGV[2], 'COUNT', limit.items)
local rows = {}
for i, id in ipairs(found[2]) do
    local b = bucketOf(id)
    local ok, opens = admits(b, 1)
    rows[i] = { id, b.f.key or '', b.f.used or 0, b.f.ready or 0, b.f.would or 0, ok and 1 or 0, not ok and opens or 0,
        redis.call('ZRANGE', key.bucket_running .. id, 0, 9), b.con and b.con.kind == 'breaker' and breakerState(b) or '' }
end
return { now, found[1], rows }
