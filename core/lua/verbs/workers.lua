#!lua flags=no-writes
-- Gives a page of workers by name.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many at most
-- ARGV[2] the last worker of the page before ('' for the first page)
-- Reply now, whether the page is the last (0 or 1), whether all running jobs were counted (0 or 1), for each: worker, what it says of
--       itself, first heard, last heard, successes, failures, durations, trouble, when, registration, draining, running jobs, ids of some.
-- include base

local FIELDS = { field.worker_record.told, field.worker_record.first, field.worker_record.heard, field.worker_record.succeeded,
    field.worker_record.failed, field.worker_record.runs, field.worker_record.trouble, field.worker_record.trouble_at,
    field.worker_record.registration, field.worker_record.draining }

local function runningJobs()
    local byWorker = {}
    for _, id in ipairs(redis.call('ZRANGE', key.running, 0, limit.workers_running - 1)) do
        local worker = redis.call('HGET', key.state .. id, field.worker) or ''
        local of = byWorker[worker] or { 0, {} }
        byWorker[worker] = of
        of[1] = of[1] + 1
        if of[1] <= limit.worker_jobs then
            of[2][of[1]] = id
        end
    end
    return byWorker, redis.call('ZCARD', key.running) <= limit.workers_running and 1 or 0
end

local wanted = tonumber(ARGV[1])
local workers = redis.call('ZRANGEBYLEX', key.workers, ARGV[2] == '' and '-' or '(' .. ARGV[2], '+', 'LIMIT', 0, wanted + 1)
local running, complete = runningJobs()
local rows = {}
for i = 1, math.min(#workers, wanted) do
    local worker = workers[i]
    local row = { worker, unpack(redis.call('HMGET', key.worker_record .. redis.sha1hex(worker), unpack(FIELDS))) }
    for n = 1, 11 do
        row[n] = row[n] or ''
    end
    local its = running[worker] or { 0, {} }
    row[12], row[13] = its[1], its[2]
    rows[i] = row
end
return { now, #workers > wanted and 0 or 1, complete, rows }
