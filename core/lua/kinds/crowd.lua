-- Constraint 0: it holds the jobs that match too many buckets.
kinds.crowd = {
    admits = function()
        return false
    end,
}
