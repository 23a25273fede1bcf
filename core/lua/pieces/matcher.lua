-- Where a matcher and its old revisions are stored.

local function matcherHistory(id)
    return key.matcher_history .. redis.sha1hex(id)
end

local function matcherRow(id)
    local packed = redis.call('HGET', key.matchers, id)
    return packed and cmsgpack.unpack(packed)
end
