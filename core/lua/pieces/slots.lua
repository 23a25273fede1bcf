-- The slots of workers that serve HTTP: how many jobs one may have at once, over all masters together.
local reserved = {} -- by worker, what earlier claims of this call may still take

-- How many jobs the worker has. Those that have ended are only looked for when that matters.
local function slotsUsed(itsKey, worker, slots, wanted)
    local used = redis.call('SCARD', itsKey)
    if used + wanted <= slots then
        return used
    end
    for _, id in ipairs(redis.call('SRANDMEMBER', itsKey, limit.worker_slots)) do
        local its = redis.call('HMGET', key.state .. id, field.state, field.worker)
        if tonumber(its[1] or 0) ~= ST_RUNNING or its[2] ~= worker then
            redis.call('SREM', itsKey, id)
            used = used - 1
        end
    end
    return used
end

-- Lowers what a request asks for to the worker's free slots.
local function keepToSlots(request)
    local hash = redis.sha1hex(request.worker)
    local its = redis.call('HMGET', key.worker_record .. hash, field.worker_record.slots, field.worker_record.draining)
    local slots = its[2] and 0 or tonumber(its[1] or 0)
    local before = reserved[hash] or 0
    request.slots = key.worker_slots .. hash
    local used = slots > 0 and slotsUsed(request.slots, request.worker, slots, before + request.limit) or 0
    request.limit = math.max(0, math.min(request.limit, slots - used - before))
    reserved[hash] = before + request.limit
end

-- Notes the jobs that these claims got. The answer to a request that found no free slot becomes 0.
local function takeSlots(requests, claimed)
    for i, request in ipairs(requests) do
        local jobs = request.slots and claimed[i] or {}
        for _, job in ipairs(jobs) do
            redis.call('SADD', request.slots, job[1])
        end
        if jobs[1] then
            redis.call('PEXPIRE', request.slots, limit.awaiting_ms)
        elseif request.slots and request.limit == 0 then
            claimed[i] = 0
        end
    end
end
