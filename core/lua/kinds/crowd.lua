-- The kind of constraint 0: it holds jobs that have too many buckets, and nothing passes it.
Kinds.crowd = {
    admits = function()
        return false
    end,
}
