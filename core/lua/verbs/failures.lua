#!lua flags=no-writes
-- Groups of failures, the last seen first; or one of them.
-- KEYS[1] prefix. ARGV: signature ('' for a page), limit, whether there is a row before (0 or 1), its order, its signature.
-- Reply: now, end (0 or 1), rows {signature, last, fields of fg:<signature> (flat), jobs failed now, trend}.
-- include base
-- include page

local function row(signature, last)
    return { signature, last, redis.call('HGETALL', P .. 'fg:' .. signature), redis.call('ZCARD', P .. 'fgf:' .. signature),
        redis.call('GET', P .. 'fgt:' .. signature) or '' }
end

if ARGV[1] ~= '' then
    local last = redis.call('ZSCORE', P .. 'fgroups', ARGV[1])
    return { now, 1, last and { row(ARGV[1], last) } or {} }
end
local wanted = tonumber(ARGV[2])
local after = ARGV[3] == '1' and { order = tonumber(ARGV[4]), id = ARGV[5] }
local found = Page.range(P .. 'fgroups', Page.start(P .. 'fgroups', after, true), wanted + 1, true)
local rows = {}
for i = 1, math.min(#found, 2 * wanted), 2 do
    rows[#rows + 1] = row(found[i], found[i + 1])
end
return { now, #found > 2 * wanted and 0 or 1, rows }
