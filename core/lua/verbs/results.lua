#!lua flags=no-writes
-- Gives a page of the results that wait for their pushers, by when they expire; or one of them.
-- KEYS[1] the namespace's prefix
-- ARGV[1] limit
-- ARGV[2] whether the page begins after a row (0 or 1)
-- ARGV[3] that row's order
-- ARGV[4] that row's id
-- ARGV[5…] for one result: its id, after 1, '', '' and ''
-- Reply now, total, whether this is the last page (0 or 1), rows {expires, id, name ('' when the job is gone), bytes, finished, state}.
-- include base
-- include record
-- include paging

local function row(id, expires)
    local s = redis.call('HMGET', key.state .. id, field.finished, field.state)
    local h = readHead(id)
    return { expires, id, h and h.name or '', redis.call('STRLEN', key.result .. id),
        tonumber(s[1] or 0), tonumber(s[2] or ST_SUCCEEDED) }
end

local itsKey = key.results
if ARGV[5] then
    local expires = redis.call('ZSCORE', itsKey, ARGV[5])
    return { now, 0, 1, expires and tonumber(expires) > now and { row(ARGV[5], expires) } or {} }
end
local wanted = tonumber(ARGV[1])
local after = ARGV[2] == '1' and { order = tonumber(ARGV[3]), id = ARGV[4] } or { order = now, id = '\255' }
local found = Page.range(itsKey, Page.start(itsKey, after, false), wanted + 1, false)
local rows = {}
for i = 1, math.min(#found, 2 * wanted), 2 do
    rows[#rows + 1] = row(found[i], found[i + 1])
end
return { now, redis.call('ZCOUNT', itsKey, '(' .. now, '+inf'), #found > 2 * wanted and 0 or 1, rows }
