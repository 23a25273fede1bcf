#!lua library=finish flags=allow-oom
-- Takes reports of attempts, then claims jobs in the same call, so that the claims find what the reports freed. Reports: transitions 8
-- (`success`), 9 (`failure-retried`), 10 (`failure-final`), 12 (`late-success`), 13 (`repeat-report`), 14 (`lost-lease`), 24
-- (`end-cancelled`). Claims: transitions 4 (`claim`), 22 (`expire-job`), 23 (`close-window`).
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] slot (an engine has two calls under way at most: which of them this is)
-- ARGV[3] nonce (the same when the call is repeated)
-- ARGV[4] number of reports
-- ARGV[5] number of claims
-- ARGV[6…] for each report: id, lease, type (s or f), outcome object, should_retry (0 or 1), retry_after (ms), jitter, message, reason,
--          normalised message; after these, for each claim: worker, limit, lease_ms (0: the job's timeout), token ('' for none), served
--          (1: it is for a worker that serves HTTP, which has slots), number of names, names…
-- Reply now, transaction, for each report {state, run_at, worker, how long the attempt took} (a repeated one without the last two) or a
--       word (LEASE_LOST, NOT_FOUND), for each claim a list of {id, record, attempt, lease, expires, deadline} or 0 (the worker has no free
--       slot), whether to claim again at once because a bound was reached or the best lane is stale (0 or 1), the jobs that the matchers
--       must read before that (pieces/reading.lua; empty: none), hints.
-- include base
-- include record
-- include place
-- include state
-- include ends
-- include attempt
-- include claim
-- include slots

-- The answer to a report, with whose attempt it was.
local function attributed(answer, s)
    answer[3], answer[4] = s.worker or '', now - tonumber(s.started or now)
    return answer
end

-- What is read of a job of which a success is reported. It is all that succeed() needs.
local SUCCESS_FIELDS = { field.state, field.lease, field.worker, field.started, field.number, field.result_ttl, field.special,
    field.buckets }

local function report(at)
    local id, lease, type = ARGV[at], ARGV[at + 1], ARGV[at + 2]
    if type == 's' then
        local s = readInto({}, id, SUCCESS_FIELDS)
        if s.state == '4' and s.lease == lease then
            s.state = ST_RUNNING
            return attributed(succeed(id, s, lease, 's', ARGV[at + 3]), s)
        end
    end
    local s = readState(id)
    if not s then
        return redis.call('EXISTS', key.job .. id) == 1 and 'LEASE_LOST' or 'NOT_FOUND'
    end
    if s.state == ST_RUNNING and s.lease == lease then
        local ended = { type = 'f', how = 'failure', reason = ARGV[at + 8], object = ARGV[at + 3], message = ARGV[at + 7],
            title = ARGV[at + 9], retry = ARGV[at + 4] == '1', after_ms = tonumber(ARGV[at + 5]), jitter = tonumber(ARGV[at + 6]) }
        return attributed(fail(id, s, lease, ended), s)
    end
    if s.reported_lease == lease and s.reported_type == type then
        return { tonumber(s.reported_state), tonumber(s.reported_run_at) } -- the same report again
    end
    if type == 's' and s.lease == lease and s.reported_lease == lease and s.reported_type == 'e' and (s.state == ST_READY
        or s.state == ST_SCHEDULED) then
        leavePlace(id, s, readHead(id))
        s.state, s.buckets = ST_RUNNING, nil -- its buckets were told when the lease expired
        return attributed(succeed(id, s, lease, 's', ARGV[at + 3]), s)
    end
    return 'LEASE_LOST'
end

local at = 6
local finished = {}
for i = 1, tonumber(ARGV[4]) do
    finished[i] = report(at)
    at = at + 10
end
settleSuccesses()
local known = #becameFinal
followUp(limit.items)
settleBuckets()
local requests = {}
for i = 1, tonumber(ARGV[5]) do
    local names = {}
    for n = 1, tonumber(ARGV[at + 5]) do
        names[n] = ARGV[at + 5 + n]
    end
    requests[i] = { worker = ARGV[at], limit = tonumber(ARGV[at + 1]), lease_ms = tonumber(ARGV[at + 2]), token = ARGV[at + 3],
        names = names, key = table.concat(names, '\0') }
    if ARGV[at + 4] == '1' then
        keepToSlots(requests[i])
    end
    at = at + 6 + #names
end
local claimed, more, stale = {}, 0, false
if requests[1] then
    claimed, more, stale = claimAll(requests, ARGV[1], ARGV[2], ARGV[3])
    takeSlots(requests, claimed)
    followUp(limit.items) -- for jobs that expired instead of starting
end
return { now, commit(ARGV[1], false), finished, claimed, more, stale or {}, hints(known) }
