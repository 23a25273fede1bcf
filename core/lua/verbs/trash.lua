#!lua library=jobs flags=allow-oom
-- Moves jobs that neither run nor await to the trash: transition 25 (`delete`). A job that had not ended is cancelled, so that nobody waits
-- for it.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] who
-- ARGV[3…] ids
-- Reply now, transaction, for each {state} or a word (NOT_FOUND, CONFLICT), hints.
-- include base
-- include ends
-- include deleting

local answers = {}
for at = 3, #ARGV do
    answers[#answers + 1] = deleteJob(ARGV[at], ARGV[2])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
