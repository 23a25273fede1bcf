-- Jobs that the matchers in force have not read, for the master to read: {{lane, mark, behind, {{id, record}, …}}, …}, as far as there is
-- room; one that is too long comes alone. `lanes`: {lane, mark, unread}: as many jobs at its end are unread. Without `unread` they are the
-- lane's first, for a claim that waits for them.
local READ_TOGETHER = 8

local function piecesOf(lanes)
    local pieces, jobs, bytes = {}, 0, 0
    local function read(ids)
        local found = {}
        for first = 1, #ids, READ_TOGETHER do
            local keys = {}
            for i = first, math.min(#ids, first + READ_TOGETHER - 1) do
                keys[#keys + 1] = P .. 'j:' .. ids[i]
            end
            for i, record in ipairs(redis.call('MGET', unpack(keys))) do
                record = record or ''
                bytes = bytes + #record
                if jobs > 0 and bytes > limit.stale_bytes then
                    return found
                end
                found[#found + 1], jobs = { ids[first + i - 1], record }, jobs + 1
            end
        end
        return found
    end
    for _, each in ipairs(lanes) do
        local lane, unread, room = each[1], each[3], limit.read_jobs - jobs
        if room <= 0 or bytes > limit.stale_bytes then
            break
        end
        local from, to = 0, room - 1
        if unread then
            from, to = -unread, math.min(-1, to - unread)
        end
        local found = read(redis.call('ZRANGE', P .. 'lane:' .. lane, from, to))
        if found[1] then
            pieces[#pieces + 1] = { lane, each[2] or -1, unread and unread - #found or -1, found }
        end
    end
    return pieces
end
