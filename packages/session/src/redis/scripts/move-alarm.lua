--[[
  Sets an alarm that nobody has set meanwhile. Runs without the prelude.

  KEYS[1] alarms  ARGV[1] id  ARGV[2] the time that it must have  ARGV[3] in how many ms, or
  "" to take it away
  Returns nothing.
]]
if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then return end
if ARGV[3] == '' then return redis.call('ZREM', KEYS[1], ARGV[1]) end
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3], ARGV[1])
