#!lua flags=no-writes
-- Buckets of one constraint.
-- KEYS[1] prefix. ARGV: constraint's number, cursor.
-- Reply: now, next cursor, for each {bucket, key, used, ready, would hold, admits cost 1 (0 or 1), opens at, {holders…},
--   c, o or h of a breaker (closed, open, half-open)}.
-- include base
-- include record

local found = redis.call('SSCAN', P .. 'cb:' .. ARGV[1], ARGV[2], 'COUNT', limit.items)
local rows = {}
for i, id in ipairs(found[2]) do
    local b = bucketOf(id)
    local ok, opens = admits(b, 1)
    rows[i] = { id, b.f.k or '', b.f.u or 0, b.f.n or 0, b.f.would or 0, ok and 1 or 0, not ok and opens or 0,
        redis.call('ZRANGE', P .. 'br:' .. id, 0, 9), b.con and b.con.k == 'breaker' and breakerState(b) or '' }
end
return { now, found[1], rows }
