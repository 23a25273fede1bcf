#!lua
-- Adds ids to a frozen view, and makes the view with the first of them.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] view
-- ARGV[3] how many ids it has so far: 0 makes it
-- ARGV[4] who makes it, packed by C++; for the first call
-- ARGV[5] when it is frozen, ms
-- ARGV[6] its state afterwards: 0 more ids follow, 1 these are the last, 2 there are more than a view may have
-- ARGV[7] ids, 16 bytes each, as many as a page of jobs has at most
-- Reply now, transaction, how many ids it has; or a word (NOT_FOUND: it has expired; FULL: there are too many views).
-- include base
-- include views
-- include freezing

local function freeze(view, sofar)
    local has = viewCount(view, sofar, ARGV[4], ARGV[5])
    if type(has) == 'string' then
        return has
    end
    if has == sofar then -- else it is a repeated call
        has = appendIds(view, has, ARGV[7])
    end
    redis.call('HSET', key.view .. view, field.view.state, ARGV[6])
    keepView(view, limit.view_ms)
    return has
end

local answer = freeze(ARGV[2], tonumber(ARGV[3]))
return { now, commit(ARGV[1], false), answer }
