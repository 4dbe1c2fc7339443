--[[
  Replaces the value if it is still at the version that the caller read.

  ARGV[3] version  ARGV[4] JSON  ARGV[5] updated  ARGV[6] aliases as JSON
  Returns {'ok'} · {'changed'} · {'absent'} · {'stale'}
]]
local fields = redis.call('HMGET', state, 'w:' .. writer, 'v', 'ttl', 'ls')
local answer = earlier_answer(fields[1])
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end
if (fields[2] or '1') ~= ARGV[3] then return {'changed'} end

redis.call('SET', record, ARGV[4])
redis.call('HSET', state, 'v', ARGV[3] + 1, 'ua', ARGV[5], 'al', ARGV[6])
local ttl = fields[3]
if ttl then redis.call('HSET', state, 'au', now + ttl) end
renew(ttl, fields[4])
return remember(fields[1], {'ok'})
