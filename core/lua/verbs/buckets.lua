#!lua library=limits flags=no-writes
-- Lists some buckets of one constraint.
-- KEYS[1] the namespace's prefix
-- ARGV[1] constraint's number
-- ARGV[2] cursor
-- Reply now, next cursor, for each bucket {bucket, key, used, ready, jobs it would have held while it observed, whether it holds no job
--       of cost 1 back (0 or 1), opens at (0: not known), {up to ten running jobs}, c, o or h for a breaker that is closed, open or
--       half-open}.
-- include base
-- include bucket
-- include kinds
-- include admission

local found = redis.call('SSCAN', key.constraint_buckets .. ARGV[1], ARGV[2], 'COUNT', limit.items)
local rows = {}
for i, id in ipairs(found[2]) do
    local b = bucketOf(id)
    local held, opens = holdsBack(b, 1)
    rows[i] = { id, b.f.key or '', b.f.used or 0, b.f.ready or 0, b.f.would or 0, held and 0 or 1, held and opens or 0,
        redis.call('ZRANGE', key.bucket_running .. id, 0, 9), b.con and b.con.kind == 'breaker' and breakerState(b) or '' }
end
return { now, found[1], rows }
