--[[
  Extends a lease from now, if it is the current one. Sent twice, it does the same twice.

  ARGV[3] token  ARGV[4] duration in ms
  Returns {'ok', aliases_due} · {'lease'} · {'absent'}
]]
local fields = redis.call('HMGET', state, 'lt', 'lx', 'ttl', 'ls', 'au')
if redis.call('EXISTS', record) == 0 then return {'absent'} end
if fields[1] ~= ARGV[3] or tonumber(fields[2]) <= now then return {'lease'} end

redis.call('HSET', state, 'lx', now + ARGV[4])
renew(fields[3], fields[4])
return {'ok', aliases_due(fields[3], fields[5])}
