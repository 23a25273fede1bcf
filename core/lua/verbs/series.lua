#!lua flags=no-writes
-- Gives the samples of one metric, packed as in pieces/sampling.lua.
-- KEYS[1] the namespace's prefix
-- ARGV[1] metric's number (from 0)
-- ARGV[2] first day (days since 1970; '' for the ring of seconds)
-- ARGV[3] number of the samples' count
-- Reply now, the second that was sampled last (0: none), the ring's words, or the words of each day up to today; the same of the number of
--       samples.
-- include base

local at = tonumber(redis.call('HGET', key.series, field.series.at) or 0)
local today = math.floor(now / 86400000)
local function wordsOf(metric)
    if ARGV[2] == '' then
        local bytes = limit.series_seconds * 4
        return { redis.call('GETRANGE', key.series_day .. 'now', 4 + metric * bytes, 3 + (metric + 1) * bytes) }
    end
    local days = {}
    for day = math.max(tonumber(ARGV[2]), today - limit.series_days), today do
        days[#days + 1] = redis.call('GETRANGE', key.series_day .. string.format('%d', day), metric * 5760, metric * 5760 + 5759)
    end
    return days
end
return { now, at, wordsOf(tonumber(ARGV[1])), wordsOf(tonumber(ARGV[3])) }
