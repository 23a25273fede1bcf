-- Jobs that the matchers in force have not read, for the master to read: {{lane, mark, behind, ids, lists of records (pieces/bulk.lua)},
-- …}, as far as there is room. `lanes`: {lane, mark, unread}: as many jobs at its end are unread. Without `unread` they are the lane's
-- first, for a claim that waits for them.
-- include bulk

local function piecesOf(lanes)
    local pieces, jobs, bytes = {}, 0, 0
    for _, each in ipairs(lanes) do
        local lane, unread, room = each[1], each[3], limit.read_jobs - jobs
        if room <= 0 or bytes >= limit.stale_bytes then
            break
        end
        local from, to = 0, room - 1
        if unread then
            from, to = -unread, math.min(-1, to - unread)
        end
        local ids = redis.call('ZRANGE', key.lane .. lane, from, to)
        local lists, n, size = recordsOf(ids, 1, #ids, limit.stale_bytes - bytes)
        if n > 0 then
            pieces[#pieces + 1] = { lane, each[2] or -1, unread and unread - n or -1, ids, lists }
        end
        jobs, bytes = jobs + n, bytes + size
    end
    return pieces
end
