#!lua flags=no-writes
-- Says which transaction changed each kind of thing last.
-- KEYS[1] the namespace's prefix
-- Reply now, the transactions of jobs, matchers, schedules, tokens, retention and operations (false: none was changed).
-- include base

return { now, redis.call('HMGET', key.changed, field.changed.jobs, field.changed.matchers, field.changed.schedules, field.changed.tokens,
    field.changed.retention, field.changed.operations) }
