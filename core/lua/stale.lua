#!lua flags=no-writes
-- The first jobs of some lanes that the matchers in force have not read.
-- KEYS[1] prefix. ARGV: the name's number to go on from.
-- Reply: now, epoch, {{lane, {{id, record}, …}}, …}, about how many jobs stand in stale lanes, the name's number for the next call, the
-- epoch at which all that runs was charged last.
-- include base
-- include record

local READ_TOGETHER = 8
local LANES_TOGETHER = 16 -- each is moved by a call of its own
local stale, left, from = {}, 0, tonumber(ARGV[1])
local function look(candidate)
    local n = redis.call('ZCARD', P .. 'lane:' .. candidate)
    left = left + n
    if n > 0 then
        stale[#stale + 1] = candidate
    end
end
if epoch > 0 then
    local candidates = redis.call('ZRANGEBYSCORE', P .. 'lanes_at', '-inf', '(' .. epoch, 'LIMIT', 0, limit.items)
    for _, candidate in ipairs(candidates) do
        look(candidate)
    end
    if #candidates == limit.items then -- those behind hold as many, as far as is known
        left = math.floor(left / #candidates * redis.call('ZCOUNT', P .. 'lanes_at', '-inf', '(' .. epoch))
    end
    -- Plain lanes are those of names, which are numbered: one at a time.
    local last = tonumber(redis.call('GET', P .. 'lane_last') or 0)
    from = from < last and from or 0
    local looked = 0
    while looked < math.min(last, limit.stale_names) and not stale[1] do
        from, looked = from % last + 1, looked + 1
        look(tostring(from))
    end
    if stale[1] == tostring(from) then
        from = from - 1 -- there may be more in it
    end
end

local lanes, jobs, bytes = {}, 0, 0
local function full()
    return jobs >= limit.items or bytes > limit.stale_bytes
end

-- Its first jobs, as far as there is room; one that is too long comes alone.
local function read(lane)
    local ids, found = redis.call('ZRANGE', P .. 'lane:' .. lane, 0, limit.items - jobs - 1), {}
    for first = 1, #ids, READ_TOGETHER do
        local keys = {}
        for i = first, math.min(#ids, first + READ_TOGETHER - 1) do
            keys[#keys + 1] = P .. 'j:' .. ids[i]
        end
        for i, record in ipairs(redis.call('MGET', unpack(keys))) do
            record = record or ''
            bytes = bytes + #record
            if jobs > 0 and bytes > limit.stale_bytes then
                return found
            end
            found[#found + 1], jobs = { ids[first + i - 1], record }, jobs + 1
        end
    end
    return found
end
for i = 1, math.min(#stale, LANES_TOGETHER) do
    local found = not full() and read(stale[i]) or {}
    if found[1] then
        lanes[#lanes + 1] = { stale[i], found }
    end
end
return { now, epoch, lanes, left, from, tonumber(redis.call('GET', P .. 'recharged') or 0) }
