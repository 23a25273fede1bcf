#!lua flags=allow-oom
-- Gives a kept result to its pusher, once. A repeated call with the same receipt gets it again, as long as the receipt is kept. With peek
-- the result is only read. If several pushers share the job, every request that was waiting when the job ended gets the result, and it
-- stays for the first later request; after that one took it, slower waiting requests still get it for limit.receipt_ms.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- ARGV[2] receipt
-- ARGV[3] peek (0 or 1)
-- ARGV[4] whether the request was waiting when the job ended (0 or 1)
-- ARGV[5] how long the receipt is kept (ms)
-- Reply now, status (ready, pending or gone), outcome object, state.
-- include base

local id, receipt = ARGV[1], ARGV[2]
local result, memory = key.result .. id, key.receipt .. id
if ARGV[3] == '1' then
    local object = redis.call('GET', result)
    if object then
        return { now, 'ready', object, 0 }
    end
else
    local taken = redis.call('GET', memory)
    if taken and string.sub(taken, 1, #receipt + 1) == receipt .. '\0' then
        return { now, 'ready', string.sub(taken, #receipt + 2), 0 }
    end
    local waited = ARGV[4] == '1'
    local object = redis.call('GET', result)
    if not object and waited then
        object = redis.call('GET', key.shared_result .. id)
        if object then
            return { now, 'ready', object, 0 }
        end
    end
    if object then
        if redis.call('HGET', key.state .. id, field.shared) then
            if waited then
                return { now, 'ready', object, 0 }
            end
            redis.call('SET', key.shared_result .. id, object, 'PX', limit.receipt_ms)
        end
        redis.call('DEL', result)
        redis.call('ZREM', key.results, id)
        redis.call('SET', memory, receipt .. '\0' .. object, 'PX', ARGV[5])
        redis.call('PEXPIRE', key.result_owner .. id, ARGV[5])
        redis.call('INCR', key.transaction)
        return { now, 'ready', object, 0 }
    end
end
local flags = redis.call('GETRANGE', key.job .. id, 1, 1)
local state = tonumber(redis.call('HGET', key.state .. id, field.state) or ST_READY)
if flags == '' or string.byte(flags) % 2 == 0 or FINAL[state] then
    return { now, 'gone', '', 0 }
end
return { now, 'pending', '', state }
