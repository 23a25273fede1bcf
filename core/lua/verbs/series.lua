#!lua flags=no-writes
-- Gives the samples of one metric, packed as in pieces/sampling.lua.
-- KEYS[1] the namespace's prefix
-- ARGV[1] metric's number (from 0); of a name: its place in Series.ofNames
-- ARGV[2] first day (days since 1970; '' for the ring of seconds)
-- ARGV[3] number of the samples' count
-- ARGV[4] only this name ('' for all)
-- Reply now, the second that was sampled last (0: none), the ring's words, or the words of each day up to today; the same of the number of
--       samples; since which second this name is counted (0: always; past the last sample: it is not).
-- include base

local at = tonumber(redis.call('HGET', key.series, field.series.at) or 0)
local today = math.floor(now / 86400000)
local nameNo = ARGV[4] ~= '' and tonumber(redis.call('HGET', key.name_numbers, ARGV[4]) or 0)
local since = 0
if nameNo then
    local first = string.match(redis.call('GET', key.series_day .. 'names') or '', '^%d+')
    since = first and nameNo <= limit.series_names and tonumber(first) or at + 1
end
local function wordsOf(metric, suffix)
    if ARGV[2] == '' then
        local bytes = limit.series_seconds * 4
        return { redis.call('GETRANGE', key.series_day .. 'now', 4 + metric * bytes, 3 + (metric + 1) * bytes) }
    end
    local days = {}
    for day = math.max(tonumber(ARGV[2]), today - limit.series_days), today do
        days[#days + 1] = redis.call('GETRANGE', key.series_day .. string.format('%d', day) .. suffix, metric * 5760, metric * 5760 + 5759)
    end
    return days
end
return { now, at, wordsOf(tonumber(ARGV[1]), nameNo and ':' .. nameNo or ''), wordsOf(tonumber(ARGV[3]), ''), since }
