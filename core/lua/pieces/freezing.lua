-- How ids are added to a frozen view, and how a view is made.
-- include views

-- Makes a view without ids; false when there are too many.
local function makeView(view, definition, asOf)
    for _, other in ipairs(redis.call('ZRANGE', key.views, 0, -1)) do
        if redis.call('EXISTS', key.view .. other) == 0 then
            redis.call('ZREM', key.views, other)
        end
    end
    if redis.call('ZCARD', key.views) >= limit.views then
        return false
    end
    redis.call('ZADD', key.views, now, view)
    redis.call('HSET', key.view .. view, field.view.definition, definition, field.view.as_of, asOf, field.view.count, 0,
        field.view.users, 0)
    return true
end

-- Adds ids (16 bytes each) to the view, which has `has` so far. Returns how many it has then.
local function appendIds(view, has, ids)
    local at = 1
    while at <= #ids do
        local chunk = math.floor(has / limit.view_chunk)
        local room = limit.view_chunk - has % limit.view_chunk
        local part = string.sub(ids, at, at + 16 * room - 1)
        redis.call('SETRANGE', viewChunk(view, chunk), 16 * (has % limit.view_chunk), part)
        at, has = at + #part, has + #part / 16
    end
    redis.call('HSET', key.view .. view, field.view.count, has)
    return has
end

-- How many ids a view has that is made with the first of them; or a word (NOT_FOUND: it has expired; FULL: there are too many views).
local function viewCount(view, sofar, definition, asOf)
    local has = tonumber(redis.call('HGET', key.view .. view, field.view.count) or -1)
    if has < 0 and sofar > 0 then
        return 'NOT_FOUND'
    elseif has < 0 and not makeView(view, definition, asOf) then
        return 'FULL'
    end
    return math.max(has, 0)
end
