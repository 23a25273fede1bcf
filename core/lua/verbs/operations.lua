#!lua flags=no-writes
-- Gives operations, latest first, or one; and which of those that run have no master.
-- KEYS[1] the namespace's prefix
-- ARGV[1] operation ('' for all, at most limit.operations)
-- Reply now, 0, rows {operation, its fields (flat)}.
-- include base

local ids = ARGV[1] ~= '' and { ARGV[1] } or redis.call('ZREVRANGE', key.operations, 0, -1)
local rows = {}
for _, id in ipairs(ids) do
    local fields = redis.call('HGETALL', key.operation .. id)
    if fields[1] then
        rows[#rows + 1] = { id, fields }
    end
end
return { now, 0, rows }
