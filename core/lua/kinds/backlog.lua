-- Kind backlog: a bound on the ready jobs of a key, checked at enqueue (pieces/makeroom.lua). The bucket keeps a list of these jobs.
Kinds.backlog = {
    keeps = { bare.backlog },
    counted = function(b, n, jobs)
        local words = {}
        for i = 2, #jobs, 2 do
            if n > 0 then
                words[#words + 1] = 0
            end
            words[#words + 1] = jobs[i]
        end
        redis.call(n > 0 and 'ZADD' or 'ZREM', key.backlog .. b.id, unpack(words))
    end,
}
