#!lua flags=allow-oom
-- Gives a kept result to its pusher, once; or, with the same receipt while that is kept, again. With `peek` it only looks. Of a job that
-- several pushers share each request that was waiting when it ended gets it, and it stays for the first later one; a waiting request that
-- is slower than that one gets it for the time of a receipt.
-- KEYS[1] the namespace's prefix
-- ARGV[1] id
-- ARGV[2] receipt
-- ARGV[3] peek (0 or 1)
-- ARGV[4] whether it waited (0 or 1)
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
