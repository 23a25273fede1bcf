-- Rings of 32-bit counters inside one string. The word at `base` is the index of the newest slot (a time divided by the slot's length); the
-- `size` words after it are the slots, by index modulo size. Slots that were skipped are set to 0.

-- Adds to several rings. `rings` is a list of {base, size, index, n}: adds n at index, or at the newest slot if the clock went back.
local function ringsAdd(itsKey, rings)
    local words = {}
    for _, ring in ipairs(rings) do
        words[#words + 1], words[#words + 2], words[#words + 3] = 'GET', 'u32', ring[1] * 32
    end
    local newest = redis.call('BITFIELD', itsKey, unpack(words))
    words = {}
    local function word(verb, at, value)
        local n = #words
        words[n + 1], words[n + 2], words[n + 3], words[n + 4] = verb, 'u32', at * 32, value
    end
    for i, ring in ipairs(rings) do
        local base, size, index = ring[1], ring[2], math.max(ring[3], newest[i])
        if index > newest[i] then
            for passed = math.max(newest[i] + 1, index - size + 1), index do
                word('SET', base + 1 + passed % size, 0)
            end
            word('SET', base, index)
        end
        word('INCRBY', base + 1 + index % size, ring[4])
    end
    redis.call('BITFIELD', itsKey, unpack(words))
end
