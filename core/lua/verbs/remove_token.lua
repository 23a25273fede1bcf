#!lua flags=allow-oom
-- Revokes a token. With the last one goes the mark of its pepper, so that the next one may be made with another.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] id
-- Reply now, transaction, a word (OK, NOT_FOUND).
-- include base

if redis.call('HDEL', key.tokens, ARGV[2]) == 0 then
    return { now, 0, 'NOT_FOUND' }
end
redis.call('HDEL', key.token_uses, ARGV[2])
redis.call('HSET', key.access, field.access.version, now .. ' -' .. ARGV[2])
if redis.call('EXISTS', key.tokens) == 0 then
    redis.call('HDEL', key.access, field.access.pepper)
end
return { now, commit(ARGV[1], field.changed.tokens), 'OK' }
