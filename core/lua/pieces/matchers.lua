-- Matchers: `ma` hash id → {packed by C++, revision, edited at, by whom, {constraint's id, its number, …}} · `ma_ids` zset of ids, by id ·
--   mar:<hash of the id> hash: revision → {packed, revision, edited at, by whom}, n the last revision; of a deleted one it is kept for a
--   while · mver counts saves · con_last the last constraint's number · recharged the epoch at which all that runs was charged
local MATCHERS, MATCHER_IDS = P .. 'ma', P .. 'ma_ids'

local function matcherHistory(id)
    return P .. 'mar:' .. redis.sha1hex(id)
end

local function matcherRow(id)
    local packed = redis.call('HGET', MATCHERS, id)
    return packed and cmsgpack.unpack(packed)
end
