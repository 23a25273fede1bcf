#!lua library=limits flags=allow-oom
-- Opens or closes buckets of a breaker by hand. Opening one that is open already does not count as one more opening in a row, so a call may
-- be repeated.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] constraint's number
-- ARGV[3] c closes, o opens
-- ARGV[4] for how long, ms ('': as its parameters say)
-- ARGV[5] cursor
-- ARGV[6] '=' and the key's text ('': all keys)
-- ARGV[7] a bucket to create and open if it does not exist ('': none)
-- Reply now, transaction, next cursor, how many buckets (−1: no such constraint, −2: it is no breaker), until when they are open, hints.
-- include base
-- include bucket
-- include kinds
-- include admission

local number, open, cursor, wanted, only = ARGV[2], ARGV[3] == 'o', ARGV[5], ARGV[6], ARGV[7]
local con = constraintOf(number)
if not con or con.kind ~= 'breaker' then
    return { now, 0, '0', con and -2 or -1, 0, hints(0) }
end
local found = redis.call('SSCAN', key.constraint_buckets .. number, cursor, 'COUNT', limit.items)
local chosen, seen = {}, {}
if open and only ~= '' and redis.call('EXISTS', key.bucket .. only) == 0 then
    chosen[1] = bucketOf(only, '')
    redis.call('ZADD', key.idle_buckets, now, only)
end
for _, id in ipairs(found[2]) do
    local b = bucketOf(id)
    if not seen[id] and (wanted == '' or wanted == '=' .. (b.f.key or '')) then
        seen[id] = true -- a scan may return a member twice
        chosen[#chosen + 1] = b
    end
end
local opens = 0
for _, b in ipairs(chosen) do
    if open then
        breakerTrip(b, tonumber(ARGV[4]))
        opens = math.max(opens, b.f.open_until)
    else
        breakerClose(b)
    end
    touch(b, '')
end
return { now, commit(ARGV[1], field.changed.matchers), found[1], #chosen, opens, hints(0) }
