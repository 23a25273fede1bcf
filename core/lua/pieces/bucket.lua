-- Buckets: one constraint's state for one key. A bucket's id is <constraint's number>.<hash of the key>; it outlives edits of limits.
-- A lane that a bucket does not admit waits there, in bucket_waiting, with the others of its name and cost: a group, <n>|<cost>.
-- bucket_groups says where a group stands: in the ready indexes, or on a shelf (shelves.lua) while the bucket does not admit the cost.
-- Constraint 0 holds jobs that match too many buckets: they carry its only one, and no other.
local constraints, buckets = { ['0'] = { [field.constraints.kind] = 'crowd', [field.constraints.mode] = 'enforce' } }, {}

local function constraintOf(number)
    local c = constraints[number]
    if c == nil then
        local packed = redis.call('HGET', key.constraints, number)
        c = packed and cmsgpack.unpack(packed) or false
        constraints[number] = c
    end
    return c
end

local function fieldsOf(flat)
    local fields = {}
    for i = 1, #flat, 2 do
        local text = flat[i] == field.bucket.key or flat[i] == field.bucket.waiter
        fields[flat[i]] = not text and tonumber(flat[i + 1]) or flat[i + 1]
    end
    return fields
end

-- A bucket as it stands; `key` makes it when there is none. What a constraint overrides for the key wins.
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

local function param(b, name)
    local own = b.own[name]
    if own ~= nil then
        return own
    end
    return b.con[name]
end

-- What a call changes of its buckets is written once, at its end: {field → value} of each bucket's id.
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

atCommit[#atCommit + 1] = function()
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

-- Constraints all of whose waiting buckets may be admitted now.
local reopening = {}
