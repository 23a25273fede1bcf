#!lua library=permissions flags=no-writes
-- Says which commands the user of this connection is not permitted. It runs none of them.
-- KEYS[1] the namespace's prefix
-- ARGV[1…] commands, each with its words in one text; @ stands for a key of the namespace, & for its channel
-- Reply those that are not permitted, as they were given. A command that this Redis does not know is permitted.

local denied = {}
for _, line in ipairs(ARGV) do
    local words = {}
    for word in string.gmatch(line, '%S+') do
        words[#words + 1] = word == '@' and KEYS[1] .. bare.probe or word == '&' and KEYS[1] .. bare.hint or word
    end
    local known, permitted = pcall(redis.acl_check_cmd, unpack(words))
    if known and not permitted then
        denied[#denied + 1] = line
    end
end
return denied
