--[[
  When an alarm came due. Runs without the prelude.

  KEYS[1] alarms  ARGV[1] id
  Returns the time, or nil where it is not due.
]]
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
local time = redis.call('TIME')
if not at or tonumber(at) > time[1] * 1000 + math.floor(time[2] / 1000) then return nil end
return at
