#!lua flags=allow-oom
-- Upgrades a namespace of an older layout to this one, step by step. All of it is one call, so masters that start at the same moment never
-- see it half done.
-- KEYS[1] the namespace's prefix
-- Reply now, the layout it had (0: a new namespace), the layout it has now.
-- include base

local steps = {}

-- 1 → 2: every final job has a time to be purged at.
steps[1] = function()
    local ages = { [ST_SUCCEEDED] = limit.succeeded_kept_ms, [ST_FAILED] = limit.failed_kept_ms, [ST_CANCELLED] = limit.cancelled_kept_ms }
    for state, itsKey in pairs(FINAL) do
        for from = 0, redis.call('ZCARD', itsKey) - 1, limit.items do
            local jobs, due = redis.call('ZRANGE', itsKey, from, from + limit.items - 1, 'WITHSCORES'), {}
            for i = 1, #jobs, 2 do
                due[i], due[i + 1] = tonumber(jobs[i + 1]) + ages[state], jobs[i]
            end
            redis.call('ZADD', key.purge, 'NX', unpack(due))
        end
    end
end

local meta = key.meta
local found = tonumber(redis.call('HGET', meta, field.meta.layout) or 0)
if found == 0 then
    redis.call('HSET', meta, field.meta.layout, limit.layout)
    return { now, 0, limit.layout }
end
for layout = found, limit.layout - 1 do
    steps[layout]()
    redis.call('HSET', meta, field.meta.layout, layout + 1)
end
return { now, found, math.max(found, limit.layout) }
