-- Jobs of stale lanes, for the master to read them with its matchers. `lanes` is a list of {lane, mark, unread}: the last `unread` jobs of
-- the lane are unread; without `unread`, the lane's first jobs are taken, because a claim waits for them. `mark` is what `reading` of the
-- lane says (lanes.lua). Returns {{lane, mark, how many stay unread behind these jobs, ids, lists of records (pieces/bulk.lua)}, …}; −1
-- stands for no mark and for not known. limit.read_jobs and limit.stale_bytes bound the jobs and their bytes.
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
