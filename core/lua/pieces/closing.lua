-- Windows that cancel what still runs when they close: the sorted set `closing` has the next closing time of each running or awaiting job
-- under such a window. A cancelled job's worker hears of it at the next heartbeat, as if an operator had asked for it.
-- include bucket
-- include kinds
-- include place
-- include state

-- Cancels the jobs of these members, whose windows close now.
local function cancelClosed(members)
    for _, member in ipairs(members) do
        local id, number = string.sub(member, 1, 16), string.sub(member, 17)
        local closed = redis.call('ZSCORE', key.closing, member)
        redis.call('ZREM', key.closing, member)
        local s = readState(id)
        local carried = s and (s.state == ST_RUNNING or s.state == ST_AWAITING) and s.buckets and s.buckets ~= ''
            and cmsgpack.unpack(s.buckets) or {}
        for i = 1, #carried, 3 do
            if string.match(carried[i], '^%d+') == number then
                local b = bucketOf(carried[i], carried[i + 2])
                if b.con and b.con.mode == 'enforce' and closesAt(b, tonumber(closed)) then
                    if not s.cancel then
                        s.cancel = '1'
                        redis.call('HSET', key.state .. id, field.cancel, 1)
                        tell(id, 'cancel_requested', 'master', redis.call('HGET', key.state .. id, field.attempt),
                            cmsgpack.pack({ why = 'window' }))
                    end
                elseif b.con and b.con.kind == 'window' then
                    noteClosing(b, id) -- its window was changed
                end
            end
        end
    end
end
