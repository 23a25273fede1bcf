#!lua flags=no-writes
-- How many jobs stand where, and the totals since the namespace was made.
-- KEYS[1] the namespace's prefix
-- Reply now, counters (flat), then the sizes of sched, run, succeeded, failed, cancelled, results; the oldest id among the heads of the
--       first lanes and names ('' for none), the last transaction, and the sizes of depends and await.
-- include base

local oldest = ''
local function look(entry)
    local id = string.sub(entry, 1, 16)
    if id ~= '' and (oldest == '' or precedes(id, oldest)) then
        oldest = id
    end
end
for _, entry in ipairs(redis.call('ZRANGE', key.ready, 0, limit.page_lanes - 1)) do
    look(entry)
end
for _, n in ipairs(redis.call('ZRANGE', key.listed_names, 0, limit.page_lanes - 1)) do
    look(redis.call('ZRANGE', key.listed .. n, 0, 0)[1] or '')
end
return { now, redis.call('HGETALL', key.totals), redis.call('ZCARD', key.scheduled), redis.call('ZCARD', key.running),
    redis.call('ZCARD', FINAL[6]), redis.call('ZCARD', FINAL[7]), redis.call('ZCARD', FINAL[8]),
    redis.call('ZCOUNT', key.results, now, '+inf'), oldest, tonumber(redis.call('GET', key.transaction) or 0),
    redis.call('ZCARD', key.depends), redis.call('ZCARD', key.awaiting) }
