#!lua flags=no-writes
-- Lists buckets that hold jobs back: those that do not admit ready jobs that carry them, even if the lanes of these jobs wait at another
-- bucket. If a constraint has more buckets than may be looked at, only those at which lanes wait are looked at.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many buckets to look at
-- ARGV[2…] constraints' numbers
-- Reply now, whether all buckets were looked at (0 or 1), for each that holds jobs {bucket, key, how many jobs, how much is used (inUse()),
--       opens at (0: not known), whether `used` is the sum over all keys (0 or 1), the smallest id among the heads of its first lanes,
--       how many of the jobs are in lanes that wait at this bucket and at no other}.
-- include base
-- include bucket
-- include admission

local left, all, rows = tonumber(ARGV[1]), 1, {}
for at = 2, #ARGV do
    local ids
    if redis.call('SCARD', key.constraint_buckets .. ARGV[at]) <= left then
        ids = redis.call('SRANDMEMBER', key.constraint_buckets .. ARGV[at], left)
    else
        ids = redis.call('ZRANGE', key.constraint_waiting .. ARGV[at], 0, left)
        all = 0
    end
    for i = 1, math.min(#ids, left) do
        local b = bucketOf(ids[i])
        local groups = redis.call('HGETALL', key.bucket_groups .. b.id)
        local closed, jobs, opensFirst, oldest, open = nil, 0, nil, nil, false
        for g = 1, #groups, 2 do
            local cost, fair = string.match(groups[g], '|(%d+)(f?)$')
            local head_ = fair == 'f' and 17 or 1 -- the head's id comes after the tag (pieces/turns.lua)
            local ok, opens = admits(b, tonumber(cost))
            if ok then
                open = true
            else
                closed = math.min(tonumber(cost), closed or math.huge)
                opensFirst = opens and math.min(opens, opensFirst or opens) or opensFirst
                for _, member in ipairs(redis.call('ZRANGE', key.bucket_waiting .. b.id .. '|' .. groups[g], 0, limit.items - 1)) do
                    jobs = jobs + redis.call('ZCARD', key.lane .. string.sub(member, head_ + 16))
                    local id = string.sub(member, head_, head_ + 15)
                    oldest = oldest and precedes(oldest, id) and oldest or id
                end
            end
        end
        if not groups[1] and (b.f.ready or 0) > 0 then
            local ok, opens = admits(b, 1)
            closed, opensFirst = not ok and 1 or nil, opens
        end
        if closed then
            local used, together = inUse(b, closed)
            rows[#rows + 1] = { b.id, b.f.key or '', open and jobs or math.max(jobs, b.f.ready or 0), used, opensFirst or 0, together,
                oldest or '', jobs }
        end
    end
    left = left - math.min(#ids, left)
    if left <= 0 then
        all = at < #ARGV and 0 or all
        break
    end
end
return { now, all, rows }
