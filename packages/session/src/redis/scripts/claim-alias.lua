--[[
  Points an alias at a record, if it is free, is that record's already, or still points at a record
  that the caller has found not to carry it. Runs without the prelude; an alias has a slot of its own.

  KEYS[1] alias
  ARGV[1] id  ARGV[2] the id that may be replaced, or ""  ARGV[3] time to live in ms, or ""
  Returns the id that the alias points at now.
]]
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[1] and found ~= ARGV[2] then return found end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
end
return ARGV[1]
