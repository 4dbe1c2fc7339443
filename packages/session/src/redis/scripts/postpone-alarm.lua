--[[
  Puts an alarm off, unless something was appended to a log after a seq. Runs without the prelude, and
  where alarms and sessions share a server.

  KEYS[1] record  KEYS[2] state  KEYS[3] alarms
  ARGV[1] id  ARGV[2] the log's name  ARGV[3] the last seq that it must have  ARGV[4] in how many ms, or
  "" to take it away
  Returns 1, 0 when there is more in the log, or nil where there is no session.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return nil end
local last = redis.call('HGET', KEYS[2], 's:' .. ARGV[2])
if tonumber(last or 0) ~= tonumber(ARGV[3]) then return 0 end
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[3], ARGV[1])
  return 1
end
local time = redis.call('TIME')
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4], ARGV[1])
return 1
