#!lua library=jobs flags=allow-oom
-- Cancels jobs: transitions 16 (`cancel-waiting`) and 17 (`cancel-running`). A waiting job is cancelled. A running or awaiting job is
-- marked, so that its worker stops it; with force it is cancelled at once and its lease is lost.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: id, force (0 or 1), who
-- Reply now, transaction, for each {state, whether its worker was asked to stop it (0 or 1)} or a word (NOT_FOUND; CONFLICT: it has ended),
--       hints.
-- include base
-- include ends
-- include cancelling

local answers = {}
for at = 2, #ARGV, 3 do
    answers[#answers + 1] = cancelJob(ARGV[at], ARGV[at + 1] == '1', ARGV[at + 2])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
