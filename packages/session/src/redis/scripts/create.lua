--[[
  Creates a record. What an earlier session of the same id left behind is removed first.

  ARGV[3] JSON  ARGV[4] created  ARGV[5] group  ARGV[6] time to live in ms, or ""  ARGV[7] aliases as JSON
  Returns {'ok'} · {'exists'} · {'stale'}
]]
local answer = earlier_answer(redis.call('HGET', state, 'w:' .. writer))
if answer then return answer end
if redis.call('EXISTS', record) == 1 then return {'exists'} end

each_log(redis.call('HGET', state, 'ls'), function(key) redis.call('DEL', key) end)
redis.call('DEL', state, '{' .. record .. '}:once')
redis.call('SET', record, ARGV[3])
redis.call('HSET', state, 'v', 1, 'ca', ARGV[4], 'ua', ARGV[4], 'g', ARGV[5], 'al', ARGV[7])
if ARGV[6] ~= '' then
  redis.call('HSET', state, 'ttl', ARGV[6], 'au', now + ARGV[6])
  renew(ARGV[6])
end
return remember(nil, {'ok'})
