#!lua flags=no-writes
-- All tokens.
-- KEYS[1] the namespace's prefix
-- ARGV[1] a version whose tokens the caller has ('' for none; no rows then)
-- Reply now, version, mark of their pepper ('' while there are none), for each id, record, when it was used last (0: never).
-- include base

local version = redis.call('HGET', key.access, field.access.version) or '0'
local rows = {}
if ARGV[1] ~= version then
    local tokens = redis.call('HGETALL', key.tokens)
    for i = 1, #tokens, 2 do
        rows[#rows + 1], rows[#rows + 2] = tokens[i], tokens[i + 1]
        rows[#rows + 1] = redis.call('HGET', key.token_uses, tokens[i]) or '0'
    end
end
return { now, version, redis.call('HGET', key.access, field.access.pepper) or '', rows }
