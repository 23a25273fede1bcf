-- Statistics per name and UTC day: how long jobs waited (from ready to claimed), how long attempts ran (from the claim to the accepted
-- report), and how many attempts failed, were tried again or expired. A call gathers them and writes them with one command per name.
-- A name's row of a day is a string of 32-bit words, most significant byte first (core/jobs/recordvalues.h reads the same):
--   0 format · 1 failures · 2 retries · 3 expiries · 4 wait · 120 run, each of these: 2 words sum of ms, 4 words sum of squares in ms² as
--   low + high·2^36, 110 words histogram: bin 0 is under 1 ms, bin k from 2^((k−1)/4) ms, the last one has no end.
-- The sums and the histograms of all names and days together are a string of 64-bit words: 0 sum of waits in ms · 1 to 110 their
-- histogram · 111 and 112 to 221 those of the runs.
local Stats = { day_ms = 86400000 }
local statsRows = {} -- of this call, by the number of the name

function Stats.bin(ms)
    if ms < 1 then
        return 0
    end
    local fraction, octave = math.frexp(ms)
    local quarter = fraction < 0.5946035575013605 and 0 or fraction < 0.7071067811865476 and 1 or fraction < 0.8408964152537145 and 2 or 3
    return math.min(109, 4 * octave + quarter - 3)
end

function Stats.row(nameNo)
    local row = statsRows[nameNo]
    if not row then
        row = { counts = { 0, 0, 0 } }
        statsRows[nameNo] = row
    end
    return row
end

function Stats.measure(nameNo, what, ms)
    local row = Stats.row(nameNo)
    local m = row[what]
    if not m then
        m = { sum = 0, low = 0, high = 0, bins = {} }
        row[what] = m
    end
    ms = math.max(0, ms)
    local high = math.floor(ms * ms / 68719476736)
    local bin = Stats.bin(ms)
    m.sum, m.low, m.high = m.sum + ms, m.low + ms * ms - high * 68719476736, m.high + high
    m.bins[bin] = (m.bins[bin] or 0) + 1
end

-- A job is claimed. `ready` is when it became ready; nil: at its enqueue, whose time is in its id.
function Stats.started(nameNo, id, ready)
    if not ready then
        local high, low = struct.unpack('>I4I2', id)
        ready = high * 65536 + low
    end
    Stats.measure(nameNo, 'wait', now - tonumber(ready))
end

-- A report of an attempt that started at `start` is accepted.
function Stats.ended(nameNo, start)
    Stats.measure(nameNo, 'run', now - tonumber(start))
end

-- An attempt that started at `start` ended badly. `type` is e when no report came. `again`: the job is tried again.
function Stats.failed(nameNo, start, type, again)
    local counts = Stats.row(nameNo).counts
    counts[1], counts[2], counts[3] = counts[1] + 1, counts[2] + (again and 1 or 0), counts[3] + (type == 'e' and 1 or 0)
    if type == 'f' then
        Stats.ended(nameNo, start)
    end
end

-- Adds to `words` the operation of BITFIELD that adds n to the number of this type at a bit.
local function increase(words, type, bit, n)
    local at = #words
    words[at + 1], words[at + 2], words[at + 3], words[at + 4] = 'INCRBY', type, whole(bit), whole(n)
end

-- Adds to `words` the operations that write a measure whose first 32-bit word is `first`.
function Stats.put(words, m, first)
    increase(words, 'i64', first * 32, m.sum)
    increase(words, 'i64', first * 32 + 64, m.low)
    if m.high > 0 then
        increase(words, 'i64', first * 32 + 128, m.high)
    end
    for bin, times in pairs(m.bins) do
        increase(words, 'u32', (first + 6 + bin) * 32, times)
    end
end

-- Adds to `words` what a measure adds to those of the whole namespace.
function Stats.putWhole(words, m, first)
    increase(words, 'i64', first * 64, m.sum)
    for bin, times in pairs(m.bins) do
        increase(words, 'i64', (first + 1 + bin) * 64, times)
    end
end

AtCommit[#AtCommit + 1] = function()
    local overall = {}
    local day = string.format('%d', math.floor(now / Stats.day_ms))
    for nameNo, row in pairs(statsRows) do
        local words = { 'SET', 'u32', '0', '1' }
        for what, times in ipairs(row.counts) do
            if times > 0 then
                increase(words, 'u32', what * 32, times)
            end
        end
        if row.wait then
            Stats.put(words, row.wait, 4)
            Stats.putWhole(overall, row.wait, 0)
        end
        if row.run then
            Stats.put(words, row.run, 120)
            Stats.putWhole(overall, row.run, 111)
        end
        local member = day .. ':' .. nameNo
        if redis.call('BITFIELD', key.day_stats .. member, unpack(words))[1] == 0 then
            redis.call('ZADD', key.stats, day, member)
        end
    end
    if overall[1] then
        redis.call('BITFIELD', key.measured, unpack(overall))
    end
end
