#!lua library=limits flags=no-writes
-- Gives running or awaiting jobs that do not have the buckets of the present epoch yet, for recharge.lua.
-- KEYS[1] the namespace's prefix
-- ARGV[1] running or awaiting (r or a)
-- ARGV[2] cursor
-- Reply now, epoch, cursor for the next call, whether this was the last slice (0 or 1), ids, lists of their records (pieces/bulk.lua).
-- include base
-- include lanes
-- include state
-- include bulk

local found = redis.call('ZSCAN', ARGV[1] == 'r' and key.running or key.awaiting, ARGV[2], 'COUNT', limit.items)
local ids, cursor = {}, found[1]
for i = 1, #found[2], 2 do
    local s = readState(found[2][i])
    if s and tonumber(s.epoch or 0) ~= epoch then
        ids[#ids + 1] = found[2][i]
    end
end
local lists, n = recordsOf(ids, 1, #ids, limit.stale_bytes)
local last = cursor == '0'
if n < #ids then
    cursor, last = ARGV[2], false -- this slice again, for the jobs whose records did not fit
end
return { now, epoch, cursor, last and 1 or 0, ids, lists }
