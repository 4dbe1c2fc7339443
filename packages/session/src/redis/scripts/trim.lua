--[[
  Drops the events before a seq. Sent twice, it does the same twice.

  KEYS[3] log
  ARGV[3] the log's name  ARGV[4] first seq to keep
  Returns {'ok', aliases_due} · {'absent'}
]]
local name = ARGV[3]
local fields = redis.call('HMGET', state, 's:' .. name, 'f:' .. name, 'ttl', 'ls', 'au')
if redis.call('EXISTS', record) == 0 then return {'absent'} end
local last, first = tonumber(fields[1] or 0), tonumber(fields[2] or 1)
local keep = math.min(tonumber(ARGV[4]), last + 1)
if keep > first then
  redis.call('XTRIM', KEYS[3], 'MINID', '=', string.format('%d-0', keep))
  redis.call('HSET', state, 'f:' .. name, keep)
end
renew(fields[3], fields[4])
return {'ok', aliases_due(fields[3], fields[5])}
