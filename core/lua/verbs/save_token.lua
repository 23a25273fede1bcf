#!lua
-- Keeps a token that was made.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- ARGV[3] record
-- ARGV[4] mark of the pepper it was made with
-- Reply now, transaction, a word (OK, FULL, PEPPER).
-- include base

local count = redis.call('HLEN', key.tokens)
if count >= limit.tokens then
    return { now, 0, 'FULL' }
elseif count > 0 and redis.call('HGET', key.access, field.access.pepper) ~= ARGV[4] then
    return { now, 0, 'PEPPER' }
end
redis.call('HSET', key.tokens, ARGV[2], ARGV[3])
redis.call('HSET', key.access, field.access.version, now .. ' ' .. ARGV[2], field.access.pepper, ARGV[4])
return { now, commit(ARGV[1], field.changed.tokens), 'OK' }
