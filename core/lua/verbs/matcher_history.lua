#!lua flags=no-writes
-- Gives the revisions of a matcher, in no order.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- Reply now, its last revision (0: there never was one), whether the matcher exists now (0 or 1), for each revision {matcher packed,
--       revision, edited at, by whom}.
-- include base
-- include matcher

local fields = redis.call('HGETALL', matcherHistory(ARGV[1]))
local rows, last = {}, 0
for i = 1, #fields, 2 do
    if fields[i] == field.matcher_history.last then
        last = tonumber(fields[i + 1])
    else
        rows[#rows + 1] = cmsgpack.unpack(fields[i + 1])
    end
end
return { now, last, redis.call('HEXISTS', key.matchers, ARGV[1]), rows }
