#!lua flags=no-writes
-- Gives the samples of one metric, packed as in pieces/sampling.lua.
-- KEYS[1] the namespace's prefix
-- ARGV[1] metric's number (from 0)
-- ARGV[2] first day (days since 1970; '' for the ring of seconds)
-- Reply now, the second that was sampled last (0: none), then the ring's words, or the words of each day up to today.
-- include base

local metric = tonumber(ARGV[1])
local at = tonumber(redis.call('HGET', key.series, field.series.at) or 0)
local reply = { now, at }
if ARGV[2] == '' then
    local bytes = limit.series_seconds * 4
    reply[3] = redis.call('GETRANGE', key.series_day .. 'now', 4 + metric * bytes, 3 + (metric + 1) * bytes)
    return reply
end
local today = math.floor(now / 86400000)
for day = math.max(tonumber(ARGV[2]), today - limit.series_days), today do
    reply[#reply + 1] = redis.call('GETRANGE', key.series_day .. string.format('%d', day), metric * 5760, metric * 5760 + 5759)
end
return reply
