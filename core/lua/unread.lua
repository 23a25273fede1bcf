#!lua flags=no-writes
-- Running or awaiting jobs that were not charged by the matchers in force.
-- KEYS[1] prefix. ARGV: running or awaiting (r or a), cursor.
-- Reply: now, epoch, cursor for the next call, whether that was the last (0 or 1), {{id, record}, …}.
-- include base
-- include record
-- include state

local found = redis.call('ZSCAN', ARGV[1] == 'r' and RUNNING or AWAITING, ARGV[2], 'COUNT', limit.items)
local jobs, bytes, cursor, last = {}, 0, found[1], found[1] == '0'
for i = 1, #found[2], 2 do
    local id = found[2][i]
    local s = readState(id)
    if s and tonumber(s.be or 0) ~= epoch then
        bytes = bytes + redis.call('STRLEN', P .. 'j:' .. id)
        if jobs[1] and bytes > limit.stale_bytes then
            cursor, last = ARGV[2], false -- the same place again, for those left out
            break
        end
        jobs[#jobs + 1] = { id, redis.call('GET', P .. 'j:' .. id) or '' }
    end
end
return { now, epoch, cursor, last and 1 or 0, jobs }
