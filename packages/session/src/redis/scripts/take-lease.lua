--[[
  Takes the lease unless another holder's is still running by this server's clock.

  ARGV[3] holder  ARGV[4] duration in ms
  Returns {'ok', token, aliases_due} · {'held'} · {'absent'} · {'stale'}
]]
local fields = redis.call('HMGET', state, 'w:' .. writer, 'lx', 'ttl', 'ls', 'au', 'tk')
local answer = earlier_answer(fields[1])
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end
if fields[2] and tonumber(fields[2]) > now then return {'held'} end

-- The first is the time, so that a lease of a deleted session means nothing to one of the same id.
local token = fields[6] and fields[6] + 1 or now
local text = string.format('%d', token)
redis.call('HSET', state, 'tk', text, 'lt', text, 'lh', ARGV[3], 'lx', now + ARGV[4])
renew(fields[3], fields[4])
return remember(fields[1], {'ok', token, aliases_due(fields[3], fields[5])})
