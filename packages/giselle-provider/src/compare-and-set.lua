-- Writes a value if the one that was read is still there, and sets its time to live.
--
-- KEYS[1]  the record
-- ARGV[1]  what was read; empty: nothing was there
-- ARGV[2]  what to write
-- ARGV[3]  time to live, ms
--
-- Returns 1 when written, 0 when someone else wrote in between.
local current = redis.call("GET", KEYS[1])
if (current or "") ~= ARGV[1] then
	return 0
end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1
