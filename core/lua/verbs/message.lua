#!lua library=jobs flags=allow-oom
-- Delivers a message to the job that awaits it, which ends the job's attempt: transitions 8 (`success`), 9 (`failure-retried`) and 10
-- (`failure-final`). If the message is repeated within limit.receipt_ms with the same type, it gets the same answer.
-- KEYS[1] the namespace's prefix
-- ARGV[1] engine
-- ARGV[2] message key's hash
-- ARGV[3] type (s or f)
-- ARGV[4] outcome object
-- ARGV[5] should_retry (0 or 1)
-- ARGV[6] retry_after (ms)
-- ARGV[7] jitter
-- ARGV[8] message
-- ARGV[9] reason
-- ARGV[10] normalised message
-- Reply now, transaction, {state, run_at, id} or a word (NOT_FOUND), hints.
-- include base
-- include place
-- include state
-- include ends
-- include attempt

local function deliver(hash, type)
    local memory = key.message .. hash
    local holder = redis.call('GET', memory)
    if not holder then
        return 'NOT_FOUND'
    end
    if #holder > 16 then -- no id, so the message came before: {id, type, state, run_at}
        local answered = cmsgpack.unpack(holder)
        return answered[2] == type and { answered[3], answered[4], answered[1] } or 'NOT_FOUND'
    end
    local s = readState(holder)
    local answer
    if type == 's' then
        answer = succeed(holder, s, s.lease, 'm', ARGV[4])
    else
        answer = fail(holder, s, s.lease, { type = 'm', how = 'failure', reason = ARGV[9], object = ARGV[4], message = ARGV[8],
            title = ARGV[10], retry = ARGV[5] == '1', after_ms = tonumber(ARGV[6]), jitter = tonumber(ARGV[7]) })
    end
    tell(holder, 'message', 'pusher', redis.call('HGET', key.state .. holder, field.attempt), '')
    redis.call('SET', memory, cmsgpack.pack({ holder, type, answer[1], answer[2] }), 'PX', limit.receipt_ms)
    return { answer[1], answer[2], holder }
end

local answer = deliver(ARGV[2], ARGV[3])
settleSuccesses()
followUp(limit.items)
return { now, commit(ARGV[1]), answer, hints(0) }
