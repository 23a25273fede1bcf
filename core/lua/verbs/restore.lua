#!lua library=jobs
-- Restores jobs from the trash to the states in which they were deleted: transition 26 (`restore`).
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] who
-- ARGV[3…] ids
-- Reply now, transaction, for each {state} or a word (NOT_FOUND; CONFLICT: not in the trash; UNIQUE: another job has its key), hints.
-- include base
-- include ends
-- include restoring

local answers = {}
for at = 3, #ARGV do
    answers[#answers + 1] = restoreJob(ARGV[at], ARGV[2])
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
