-- Windows that cancel what still runs at their close: cclose zset(the next closing, id and constraint's number) of what is in hands under
-- one. Who is cancelled hears it at the next heartbeat, as if an operator had asked for it.

-- What fell due: at most `limit.items` members.
local function cancelClosed(members)
    for _, member in ipairs(members) do
        local id, number = string.sub(member, 1, 16), string.sub(member, 17)
        local closed = redis.call('ZSCORE', P .. 'cclose', member)
        redis.call('ZREM', P .. 'cclose', member)
        local s = readState(id)
        local carried = s and (s.st == ST_RUNNING or s.st == ST_AWAITING) and s.bk and s.bk ~= '' and cmsgpack.unpack(s.bk) or {}
        for i = 1, #carried, 3 do
            if string.match(carried[i], '^%d+') == number then
                local b = bucketOf(carried[i], carried[i + 2])
                if b.con and b.con.m == 'enforce' and closesAt(b, tonumber(closed)) then
                    if not s.cx then
                        s.cx = '1'
                        redis.call('HSET', P .. 's:' .. id, 'cx', 1)
                        tell(id, 'cancel_requested', 'master', redis.call('HGET', P .. 's:' .. id, 'a'),
                            cmsgpack.pack({ why = 'window' }))
                    end
                elseif b.con and b.con.k == 'window' then
                    noteClosing(b, id) -- its window was changed
                end
            end
        end
    end
end
