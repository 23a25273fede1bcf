#!lua flags=no-writes
-- Counts the jobs in each state, and gives the totals since the namespace was made.
-- KEYS[1] the namespace's prefix
-- Reply now, totals (flat), how many jobs are scheduled, running, succeeded, failed and cancelled, how many results wait, the smallest id
--       among the first jobs of lanes and names ('' for none), the last transaction, how many jobs depend and await.
-- include base

local oldest = ''
local function look(entry) -- begins with the id of a job
    local id = string.sub(entry, 1, 16)
    if id ~= '' and (oldest == '' or precedes(id, oldest)) then
        oldest = id
    end
end
for _, entry in ipairs(redis.call('ZRANGE', key.ready, 0, limit.page_lanes - 1)) do
    look(entry)
end
for _, nameNo in ipairs(redis.call('ZRANGE', key.listed_names, 0, limit.page_lanes - 1)) do
    look(redis.call('ZRANGE', key.listed .. nameNo, 0, 0)[1] or '')
end
return { now, redis.call('HGETALL', key.totals), redis.call('ZCARD', key.scheduled), redis.call('ZCARD', key.running),
    redis.call('ZCARD', key.succeeded), redis.call('ZCARD', key.failed), redis.call('ZCARD', key.cancelled),
    redis.call('ZCOUNT', key.results, now, '+inf'), oldest, tonumber(redis.call('GET', key.transaction) or 0),
    redis.call('ZCARD', key.depends), redis.call('ZCARD', key.awaiting) }
