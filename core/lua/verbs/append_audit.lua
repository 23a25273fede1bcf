#!lua flags=allow-oom
-- Adds entries to the audit, also when Redis is full: their number is bounded.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] an entry, packed by C++ (core/access/auditentry.h); at most limit.items of them
-- Reply now, transaction.
-- include base

for i = 2, math.min(#ARGV, limit.items + 1) do
    redis.call('XADD', key.audit, 'MAXLEN', '~', limit.audit_entries, '*', 'entry', ARGV[i])
end
return { now, commit(ARGV[1], false) }
