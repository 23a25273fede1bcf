-- Samples for charts: the growth of the totals and the sizes of the states, once a second however many masters there are. They are strings
-- of 32-bit words: that of a day has 1440 words, one for each minute, metric after metric; `now` has the newest second and then, metric
-- after metric, a ring of limit.series_seconds words.
-- The metrics are in the order of Metric in core/jobs/recordvalues.h; after them comes the number of samples, which is 0 where no master
-- looked. A new metric is added at the end.
-- The first limit.series_names names have such strings of their days, too, of fewer metrics and without the number of samples. `names` has
-- since when (in seconds), and then their totals at the last look, name after name.
local Series = {
    totals = { field.totals.enqueued, field.totals.started, field.totals.succeeded, field.totals.failed, field.totals.failures,
        field.totals.retried, field.totals.expired, field.totals.cancelled },
    ofNames = { field.name_totals.enqueued, field.name_totals.succeeded, field.name_totals.failed, field.name_totals.failures },
    sizes = { 'ready', 'scheduled', 'running', 'depends', 'awaiting', 'failed' },
}

-- {operation, value} for each metric: a total's growth is added, a size is set.
function Series.take()
    local last = redis.call('HMGET', key.series, unpack(Series.totals))
    local total = redis.call('HMGET', key.totals, unpack(Series.totals))
    local taken, remembered = {}, {}
    for i, stored in ipairs(Series.totals) do
        local is = tonumber(total[i] or 0)
        taken[i] = { 'INCRBY', math.max(0, is - tonumber(last[i] or is)) }
        remembered[2 * i - 1], remembered[2 * i] = stored, is
    end
    local sizes = { tonumber(redis.call('HGET', key.totals, field.totals.ready) or 0), redis.call('ZCARD', key.scheduled),
        redis.call('ZCARD', key.running),
        redis.call('ZCARD', key.depends), redis.call('ZCARD', key.awaiting), redis.call('ZCARD', FINAL[7]) }
    for _, size in ipairs(sizes) do
        taken[#taken + 1] = { 'SET', math.max(0, size) }
    end
    taken[#taken + 1] = { 'INCRBY', 1 }
    redis.call('HSET', key.series, unpack(remembered))
    return taken
end

local function words(into, verb, at, value)
    local n = #into
    into[n + 1], into[n + 2], into[n + 3], into[n + 4] = verb, 'u32', at * 32, value
end

-- Sets `n` seconds from `first` on, in which no master took a sample, to 0.
local function silence(metrics, first, n)
    local size = limit.series_seconds
    local from = first % size
    local before = math.min(n, size - from) -- the end of the ring
    for i = 0, metrics - 1 do
        redis.call('SETRANGE', key.series_day .. 'now', 4 * (1 + i * size + from), string.rep('\0', 4 * before))
        redis.call('SETRANGE', key.series_day .. 'now', 4 * (1 + i * size), string.rep('\0', 4 * (n - before)))
    end
end

-- The seconds since the last sample share the growth; after a gap of more than ten seconds, the last second gets all of it.
function Series.addSeconds(taken, at, second)
    local size = limit.series_seconds
    local shared = second - at <= 10 and second - at or 1
    local silent = math.min(second - at, size) - shared
    if silent > 0 then
        silence(#taken, second - shared - silent + 1, silent)
    end
    local ops = {}
    words(ops, 'SET', 0, second)
    for share = 1, shared do
        local s = second - shared + share
        for i, metric in ipairs(taken) do
            local value = metric[2]
            if i == #taken then
                value = (share == shared or shared <= 3) and 1 or 0 -- a second or two without a look is no gap
            elseif metric[1] == 'INCRBY' then
                value = math.floor(value * share / shared) - math.floor(value * (share - 1) / shared)
            end
            words(ops, 'SET', 1 + (i - 1) * size + s % size, value)
        end
    end
    redis.call('BITFIELD', key.series_day .. 'now', unpack(ops))
end

-- Adds what names have grown by in the last ten seconds to a minute of theirs: that of the last sample, or the present one after a gap.
function Series.sampleNames(at, second)
    if math.floor(at / 10) == math.floor(second / 10) then
        return
    end
    local moment = second - at <= 10 and at or second
    local day, minute = string.format('%d:', math.floor(moment / 86400)), math.floor(moment / 60) % 1440
    local known = {}
    for word in string.gmatch(redis.call('GET', key.series_day .. 'names') or '', '%d+') do
        known[#known + 1] = word
    end
    local remembered = { known[1] or string.format('%d', second) }
    for nameNo = 1, math.min(limit.series_names, tonumber(redis.call('GET', key.last_number) or 0)) do
        local total = redis.call('HMGET', key.name_totals .. nameNo, unpack(Series.ofNames))
        local ops = {}
        for i = 1, #Series.ofNames do
            local is = tonumber(total[i] or 0)
            -- What was counted before the first look is not of this minute.
            local last = known[#remembered + 1] or (known[1] and 0 or is)
            remembered[#remembered + 1] = string.format('%d', is)
            if is > tonumber(last) then
                words(ops, 'INCRBY', (i - 1) * 1440 + minute, is - tonumber(last))
            end
        end
        if ops[1] then
            redis.call('BITFIELD', key.series_day .. day .. nameNo, unpack(ops))
        end
    end
    redis.call('SET', key.series_day .. 'names', table.concat(remembered, ' '))
end

function Series.forget(day)
    local gone = { key.series_day .. string.format('%d', day) }
    for nameNo = 1, limit.series_names do
        gone[nameNo + 1] = key.series_day .. string.format('%d:%d', day, nameNo)
    end
    redis.call('UNLINK', unpack(gone))
end

function Series.sample()
    local second = math.floor(now / 1000)
    local known = redis.call('HMGET', key.series, field.series.at, field.series.oldest)
    local at = tonumber(known[1] or 0)
    if second <= at then
        return
    end
    local taken = Series.take()
    Series.addSeconds(taken, at, second)
    local day = math.floor(second / 86400)
    local minute, ops = math.floor(second / 60) % 1440, {}
    for i, metric in ipairs(taken) do
        words(ops, metric[1], (i - 1) * 1440 + minute, metric[2])
    end
    redis.call('BITFIELD', key.series_day .. string.format('%d', day), unpack(ops))
    Series.sampleNames(at, second)
    local oldest = tonumber(known[2] or day)
    local first = math.min(day - limit.series_days + 1, oldest + limit.items)
    for old = oldest, first - 1 do
        Series.forget(old)
    end
    redis.call('HSET', key.series, field.series.at, second, field.series.oldest, math.max(oldest, first))
end
