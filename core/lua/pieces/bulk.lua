-- Reads the records of many jobs with few commands: those of ids[1], ids[1 + step], … up to ids[last]. It stops once the records read have
-- `room` bytes or more. Returns lists of records, one list for each command; how many records they hold; and how many bytes.
local function recordsOf(ids, step, last, room)
    local lists, n, bytes, together = {}, 0, 0, 16
    for first = 1, last, step * together do
        local keys = {}
        for at = first, math.min(last, first + step * (together - 1)), step do
            keys[#keys + 1] = key.job .. ids[at]
        end
        local records = redis.call('MGET', unpack(keys))
        lists[#lists + 1] = records
        for i = 1, #keys do
            if bytes >= room then
                for left = #keys, i, -1 do
                    records[left] = nil
                end
                return lists, n, bytes
            end
            n, bytes = n + 1, bytes + #(records[i] or '')
        end
    end
    return lists, n, bytes
end
