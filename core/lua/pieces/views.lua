-- Frozen views: their ids stand in chunks of limit.view_chunk.

local function viewChunk(view, chunk)
    return key.view_ids .. view .. '|' .. chunk
end

-- The ids of a view from a position on, `n` at most, as one text of 16 bytes each.
local function viewIds(view, from, n)
    local found = {}
    local last = from + n - 1
    for chunk = math.floor(from / limit.view_chunk), math.floor(last / limit.view_chunk) do
        local first = chunk * limit.view_chunk
        found[#found + 1] = redis.call('GETRANGE', viewChunk(view, chunk), 16 * math.max(0, from - first),
            16 * math.min(limit.view_chunk, last - first + 1) - 1)
    end
    return table.concat(found)
end

-- Lets a view live for so long from now; nil: for ever. A view has a bounded number of chunks.
local function keepView(view, ms)
    local keys = { key.view .. view }
    for chunk = 0, math.floor(tonumber(redis.call('HGET', key.view .. view, field.view.count) or 0) / limit.view_chunk) do
        keys[#keys + 1] = viewChunk(view, chunk)
    end
    for _, itsKey in ipairs(keys) do
        if ms then
            redis.call('PEXPIRE', itsKey, ms)
        else
            redis.call('PERSIST', itsKey)
        end
    end
end
