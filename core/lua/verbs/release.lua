#!lua library=jobs flags=allow-oom
-- Takes jobs back that their workers release: transitions 7 (`release`) and 24 (`end-cancelled`). After limit.releases of them, each
-- further release counts as a failure.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2…] for each: id, lease, delay (ms), jitter, untouched (1: no worker has had the job; this is not counted as a release)
-- Reply now, transaction, for each {state} or a word (NOT_FOUND, LEASE_LOST), hints.
-- include base
-- include ends
-- include releasing

local answers = {}
for at = 2, #ARGV, 5 do
    answers[#answers + 1] = releaseJob(ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 4] == '1')
end
followUp(limit.items)
return { now, commit(ARGV[1]), answers, hints(0) }
