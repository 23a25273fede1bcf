#!lua flags=no-writes
-- How many jobs stand where, and the totals since the namespace was made.
-- KEYS[1] prefix.
-- Reply: now, counters (flat), then the sizes of sched, run, succeeded, failed, cancelled, results; the oldest id among the heads of
-- the first lanes ('' for none), the last transaction, and the sizes of depends and await.
-- include base

local oldest = ''
local function look(entry, from)
    local id = string.sub(entry, from, from + 15)
    if oldest == '' or id < oldest then
        oldest = id
    end
end
for _, entry in ipairs(redis.call('ZRANGE', READY_INDEX, 0, limit.page_lanes - 1)) do
    look(entry, 1)
end
for _, entry in ipairs(redis.call('ZRANGE', P .. 'fready', 0, limit.page_lanes - 1)) do
    look(entry, 17) -- lib/fair.lua
end
return { now, redis.call('HGETALL', P .. 'count'), redis.call('ZCARD', SCHEDULED), redis.call('ZCARD', RUNNING),
    redis.call('ZCARD', FINAL[6]), redis.call('ZCARD', FINAL[7]), redis.call('ZCARD', FINAL[8]),
    redis.call('ZCOUNT', P .. 'results', now, '+inf'), oldest, tonumber(redis.call('GET', P .. 'tx') or 0),
    redis.call('ZCARD', DEPENDS), redis.call('ZCARD', AWAITING) }
