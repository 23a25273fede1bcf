#!lua flags=allow-oom
-- Deletes a frozen view that no operation works on. What was prepared with it cannot be started any more.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] view
-- Reply now, transaction, 1 or a word (NOT_FOUND; USED: an operation over it has not ended).
-- include base
-- include views

local function drop(view)
    local v = redis.call('HMGET', key.view .. view, field.view.count, field.view.users)
    if not v[1] then
        return 'NOT_FOUND'
    elseif tonumber(v[2]) > 0 then
        return 'USED'
    end
    for chunk = 0, math.floor(tonumber(v[1]) / limit.view_chunk) do -- a view has a bounded number of them
        redis.call('UNLINK', viewChunk(view, chunk))
    end
    redis.call('UNLINK', key.view .. view)
    redis.call('ZREM', key.views, view)
    return 1
end

local answer = drop(ARGV[2])
return { now, commit(ARGV[1], false), answer }
