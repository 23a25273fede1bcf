#!lua flags=no-writes
-- Gives how long jobs of all names waited and ran since the namespace was made.
-- KEYS[1] the namespace's prefix
-- Reply now, sums and histograms packed as in pieces/measures.lua ('': nothing was measured).
-- include base

return { now, redis.call('GET', key.measured) or '' }
