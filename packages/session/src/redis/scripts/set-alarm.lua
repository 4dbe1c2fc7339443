--[[
  Sets an alarm by this server's clock. Runs without the prelude; the alarms of a collection have a
  slot of their own.

  KEYS[1] alarms, a sorted set: id by time  ARGV[1] id  ARGV[2] in how many ms
  Returns nothing.
]]
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2], ARGV[1])
