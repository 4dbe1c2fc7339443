--[[
  Adds one to a counter.

  ARGV[3] the counter's name
  Returns {'ok', value, aliases_due} · {'absent'} · {'stale'}
]]
local fields = redis.call('HMGET', state, 'w:' .. writer, 'ttl', 'ls', 'au')
local answer = earlier_answer(fields[1])
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end

local value = redis.call('HINCRBY', state, 'c:' .. ARGV[3], 1)
renew(fields[2], fields[3])
return remember(fields[1], {'ok', value, aliases_due(fields[2], fields[4])})
