#!lua flags=no-writes
-- Counts the jobs of a part of a frozen view by the states that they have now.
-- KEYS[1] the namespace's prefix
-- ARGV[1] view
-- ARGV[2] offset
-- ARGV[3] how many, as many as a page of jobs has at most
-- Reply now, 0, how many were looked at, how many are in each state (8 numbers), how many are in the trash, how many are gone.
-- include base
-- include views

local counts, trashed, gone = { 0, 0, 0, 0, 0, 0, 0, 0 }, 0, 0
local ids = viewIds(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
for at = 1, #ids, 16 do
    local id = string.sub(ids, at, at + 15)
    local s = redis.call('HMGET', key.state .. id, field.state, field.deleted)
    if s[2] then
        trashed = trashed + 1
    elseif s[1] then
        counts[tonumber(s[1])] = counts[tonumber(s[1])] + 1
    elseif redis.call('EXISTS', key.job .. id) == 1 then
        counts[ST_READY] = counts[ST_READY] + 1
    else
        gone = gone + 1
    end
end
return { now, 0, #ids / 16, counts, trashed, gone }
