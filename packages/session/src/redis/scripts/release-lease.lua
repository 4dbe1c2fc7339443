--[[
  Gives a lease up, if it is the current one. Runs without the prelude.

  KEYS[1] record  KEYS[2] state  ARGV[1] token
  Returns nothing.
]]
if redis.call('HGET', KEYS[2], 'lt') == ARGV[1] then
  redis.call('HDEL', KEYS[2], 'lt', 'lh', 'lx')
end
