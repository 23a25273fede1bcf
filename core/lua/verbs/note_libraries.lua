#!lua
-- Notes which function libraries a master uses, and says which of another version none uses any more. No job changes.
-- KEYS[1] the namespace's prefix
-- ARGV[1] how many libraries were deleted
-- ARGV[2…] these, and then those that the master uses
-- Reply now, 0, the libraries that no master used for limit.library_kept_ms, limit.items at most: the caller is to delete them.
-- include base

local gone = tonumber(ARGV[1])
for at = 2, gone + 1 do
    redis.call('HDEL', key.libraries, ARGV[at])
end
for at = gone + 2, #ARGV do
    redis.call('HSET', key.libraries, ARGV[at], now)
end
local noted, unused = redis.call('HGETALL', key.libraries), {}
for at = 1, #noted, 2 do
    if now - tonumber(noted[at + 1]) > limit.library_kept_ms and #unused < limit.items then
        unused[#unused + 1] = noted[at]
    end
end
return { now, 0, unused }
