#!lua library=jobs flags=allow-oom
-- Runs failed or cancelled jobs again for an operator: transition 18 (`retry`). Their failures are forgotten, their attempt numbers go on.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] nonce (the same when the call is repeated)
-- ARGV[3…] for each: id, who
-- Reply now, transaction, for each {state, run_at} or a word (NOT_FOUND; CONFLICT: not in this state; UNIQUE: another job has its key),
--       hints.
-- include base
-- include retrying

local answers = {}
for at = 3, #ARGV, 2 do
    answers[#answers + 1] = retryJob(ARGV[at], ARGV[at + 1], ARGV[2])
end
return { now, commit(ARGV[1]), answers, hints(0) }
