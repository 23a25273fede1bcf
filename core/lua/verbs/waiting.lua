#!lua flags=no-writes
-- Sums up the ready jobs: how many each name has, the oldest of each priority, and what workers ask for. It looks at the names made last;
-- when there are too many priorities, at the last ones, whose jobs wait longest.
-- KEYS[1] the namespace's prefix
-- Reply now, whether all ready jobs were looked at (0 or 1), for each name with ready jobs {name, how many, the smallest id ('': not
--       known)}, for each priority {priority, how many, the smallest id}, for each engine what its workers ask for (nil: nothing).
-- include base
-- include paging

local complete, reads = 1, 0
local byPriority = {}

-- Returns the smallest id of a set (priority, job); nothing when there is no room for all of its priorities.
local function lookAt(itsKey)
    local priority = redis.call('ZRANGE', itsKey, -1, -1, 'WITHSCORES')[2]
    local oldest
    while priority do
        if reads == limit.priority_reads then
            complete = 0
            return nil
        end
        reads = reads + 1
        local id = redis.call('ZRANGE', itsKey, priority, priority, 'BYSCORE', 'LIMIT', 0, 1)[1]
        local of = byPriority[priority] or { priority, 0, id }
        byPriority[priority] = of
        of[2] = of[2] + redis.call('ZCOUNT', itsKey, priority, priority)
        of[3] = precedes(id, of[3]) and id or of[3]
        oldest = oldest and precedes(oldest, id) and oldest or id
        priority = redis.call('ZRANGE', itsKey, '(' .. priority, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES')[2]
    end
    return oldest
end

local last = tonumber(redis.call('GET', key.last_number) or 0)
local first = math.max(1, last - limit.ready_names + 1)
local names = {}
for nameNo = last, first, -1 do
    local keys, ready, oldest, known = Page.readyKeys(nameNo), 0, '', true
    for _, itsKey in ipairs(redis.call('EXISTS', unpack(keys)) > 0 and keys or {}) do
        local its = redis.call('ZCARD', itsKey)
        if its > 0 then
            local id = lookAt(itsKey)
            known = known and id ~= nil
            ready, oldest = ready + its, known and (oldest == '' or precedes(id, oldest)) and id or oldest
        end
    end
    if ready > 0 then
        names[#names + 1] = { redis.call('HGET', key.names, nameNo), ready, known and oldest or '' }
    end
end
local priorities = {}
for _, of in pairs(byPriority) do
    priorities[#priorities + 1] = of
end
local engines = redis.call('ZRANGEBYSCORE', key.engines, '(' .. (now - limit.engine_ms), '+inf', 'LIMIT', 0, limit.items)
return { now, first == 1 and complete or 0, names, priorities, engines[1] and redis.call('HMGET', key.asks, unpack(engines)) or {} }
