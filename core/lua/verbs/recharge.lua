#!lua library=limits flags=allow-oom
-- After a change of the matchers, gives running and awaiting jobs the buckets of the present epoch. New buckets are charged even if they
-- are full; buckets that a job no longer has are freed.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] epoch
-- ARGV[3] whether these are the last jobs to look at (0 or 1)
-- ARGV[4…] for each job: id, buckets ('' for none)
-- Reply now, transaction, how many jobs were changed (−1: nothing was done, the epoch is another one by now), hints.
-- include base
-- include lanes
-- include admission
-- include state

if tonumber(ARGV[2]) ~= epoch then
    return { now, 0, -1, hints(0) }
end
-- Those of `buckets_` that `others` does not have, or has at another cost.
local function without(buckets_, others)
    local costs, rest = {}, {}
    for i = 1, #others, 3 do
        costs[others[i]] = others[i + 1]
    end
    for i = 1, #buckets_, 3 do
        if costs[buckets_[i]] ~= buckets_[i + 1] then
            rest[#rest + 1], rest[#rest + 2], rest[#rest + 3] = buckets_[i], buckets_[i + 1], buckets_[i + 2]
        end
    end
    return rest
end

local looked = 0
for at = 4, #ARGV, 2 do
    local id, bk = ARGV[at], ARGV[at + 1]
    local s = readState(id)
    if s and (s.state == ST_RUNNING or s.state == ST_AWAITING) and tonumber(s.epoch or 0) ~= epoch then
        looked = looked + 1
        local carried, wanted = s.buckets and s.buckets ~= '' and cmsgpack.unpack(s.buckets) or {}, bk ~= '' and cmsgpack.unpack(bk) or {}
        local missing, dropped = without(wanted, carried), without(carried, wanted)
        if dropped[1] then
            uncharge({ [field.buckets] = cmsgpack.pack(dropped), [field.lease] = s.lease }, id, 'r')
        end
        charge(missing, id, nil)
        redis.call('HSET', key.state .. id, field.buckets, bk, field.epoch, epoch, field.uncertain, 1)
    end
end
if ARGV[3] == '1' then
    redis.call('SET', key.recharged, epoch)
    charged = epoch
    wakeBuckets(now + limit.charging_ms, limit.items) -- those that claims found shut meanwhile
end
return { now, commit(ARGV[1]), looked, hints(0) }
