#!lua library=limits flags=allow-oom
-- Sets a job's next openings and closings. A ready or scheduled job is placed again by them.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] openings and closings in turn, a MessagePack array of ms
-- Reply now, transaction, 0, hints.
-- include base
-- include record
-- include place
-- include state

local id = ARGV[2]
redis.call('ZREM', key.windows_wanted, id)
local h = readHead(id)
local s = readState(id)
if h and s and special(s, WINDOWS) and not FINAL[s.state] then
    redis.call('SET', key.windows .. id, ARGV[3])
    if s.state == ST_SCHEDULED or s.state == ST_READY then
        local due = s.state == ST_SCHEDULED and tonumber(redis.call('HGET', key.state .. id, field.run_at)) or 0
        leavePlace(id, s, h)
        place(id, h, s, due)
    end
end
return { now, commit(ARGV[1], false), 0, hints(0) }
