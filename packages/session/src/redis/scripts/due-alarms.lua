--[[
  Lists the ids whose alarm time has come, earliest first. Runs without the prelude.

  KEYS[1] alarms  ARGV[1] how many to skip  ARGV[2] how many at the most
  Returns ids.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', ARGV[1], ARGV[2])
