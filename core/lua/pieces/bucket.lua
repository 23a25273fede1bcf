-- Buckets: a bucket is one constraint's state for one key. Its id is <constraint's number>.<hash of the key>; an edit of the limit keeps
-- it. A lane that a bucket does not admit waits at it, in bucket_waiting, in a group with the other lanes of its name and cost. The group
-- is called <name's number>|<cost>. bucket_groups says where each group is: in the ready indexes while the bucket admits that cost, or on a
-- shelf (shelves.lua). Constraint 0 holds jobs with more buckets than core/limits.h allows: they carry only the one bucket of constraint 0.
local constraints, buckets = { ['0'] = { [field.constraints.kind] = 'crowd', [field.constraints.mode] = 'enforce' } }, {}

-- The parameters of a constraint; false when there is none. `number` is a text.
local function constraintOf(number)
    local c = constraints[number]
    if c == nil then
        local packed = redis.call('HGET', key.constraints, number)
        c = packed and cmsgpack.unpack(packed) or false
        constraints[number] = c
    end
    return c
end

-- A bucket's hash as a table; all but two fields are numbers.
local function fieldsOf(flat)
    local fields = {}
    for i = 1, #flat, 2 do
        local text = flat[i] == field.bucket.key or flat[i] == field.bucket.waiter
        fields[flat[i]] = not text and tonumber(flat[i + 1]) or flat[i + 1]
    end
    return fields
end

-- A bucket: {id, c: the constraint's number, con: the constraint, own: what it overrides for this key, f: the fields of its hash}. With
-- `keyText`, a bucket that does not exist is created for that key.
local function bucketOf(id, keyText)
    local b = buckets[id]
    if not b then
        local number = string.match(id, '^%d+')
        b = { id = id, c = number, con = constraintOf(number), f = fieldsOf(redis.call('HGETALL', key.bucket .. id)) }
        if not b.f.key and keyText then
            b.f.key = keyText
            redis.call('HSET', key.bucket .. id, field.bucket.key, keyText)
            redis.call('SADD', key.constraint_buckets .. number, id)
        end
        b.own = b.con and b.con.overrides and b.con.overrides[b.f.key] or {}
        buckets[id] = b
    end
    return b
end

-- A parameter of a bucket: the one for its key, or else the constraint's.
local function param(b, name)
    local own = b.own[name]
    if own ~= nil then
        return own
    end
    return b.con[name]
end

-- The fields that a call changed, {field → value} by bucket id. They are written once, at the end of the call.
local changes = {}

local function set(b, stored, value)
    b.f[stored] = value
    local fields = changes[b.id]
    if not fields then
        fields = {}
        changes[b.id] = fields
    end
    fields[stored] = value
end

local function add(b, stored, n)
    set(b, stored, (b.f[stored] or 0) + n)
end

AtCommit[#AtCommit + 1] = function()
    for id, fields in pairs(changes) do
        local words = {}
        for stored, value in pairs(fields) do
            words[#words + 1], words[#words + 2] = stored, value
        end
        if words[1] then
            redis.call('HSET', key.bucket .. id, unpack(words))
        end
    end
end

-- Numbers of the constraints whose waiting groups may all be admitted now; settleBuckets() looks at them.
local reopening = {}
