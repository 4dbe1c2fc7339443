--[[
  Removes an alias if it points at this record. Runs without the prelude.

  KEYS[1] alias  ARGV[1] id
  Returns nothing.
]]
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
