#!lua library=limits flags=no-writes
-- Gives jobs of some stale lanes, for the master to read them with its matchers.
-- KEYS[1] the namespace's prefix
-- ARGV[1] the name's number to go on from
-- Reply now, epoch, {{lane, mark, behind, ids, records}, …} (pieces/reading.lua), about how many jobs are unread, the name's number for
--       the next call, the epoch at which all running jobs were charged last (recharge.lua).
-- include base
-- include lanes
-- include reading

local stale, left, from = {}, 0, tonumber(ARGV[1])
-- Notes a lane whose jobs are to be read, and returns how many they are.
local function look(candidate)
    local n = redis.call('ZCARD', key.lane .. candidate)
    if n > 0 and #stale < limit.read_lanes then
        local info = laneInfo(candidate)
        if not info then
            return 0 -- its lane_info is lost: fsck repairs that
        end
        local mark = info.reading and info.reading[1] == epoch and info.reading[2] or nil
        n = math.min(mark or n, n)
        stale[#stale + 1] = { candidate, mark, n }
    end
    return n
end
if epoch > 0 then
    local candidates = redis.call('ZRANGEBYSCORE', key.lane_epochs, '-inf', '(' .. epoch, 'LIMIT', 0, limit.items)
    for _, candidate in ipairs(candidates) do
        left = left + look(candidate)
    end
    if #candidates == limit.items then -- an estimate: the lanes not looked at have as many jobs as these on average
        left = math.floor(left / #candidates * redis.call('ZCOUNT', key.lane_epochs, '-inf', '(' .. epoch))
    end
    -- Plain lanes go by the name's number, and a call reads one of them. The number of unread jobs is estimated from the next ones in any
    -- case.
    local last = tonumber(redis.call('GET', key.last_number) or 0)
    from = from < last and from or 0
    local names, plain = math.min(last, limit.items), 0
    for i = 1, names do
        plain = plain + redis.call('ZCARD', key.lane .. ((from + i - 1) % last + 1))
    end
    left = left + math.ceil(plain * last / math.max(1, names))
    local looked = 0
    while looked < math.min(last, limit.stale_names) and not stale[1] do
        from, looked = from % last + 1, looked + 1
        look(tostring(from))
    end
    if stale[1] and stale[1][1] == tostring(from) then
        from = from - 1 -- the lane may have more jobs than one call reads
    end
end

return { now, epoch, piecesOf(stale), left, from, tonumber(redis.call('GET', key.recharged) or 0) }
