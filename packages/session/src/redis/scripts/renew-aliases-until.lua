--[[
  Notes until when the alias keys live now.

  ARGV[3] in how many ms they end
  Returns {'ok'}
]]
if redis.call('EXISTS', state) == 1 then redis.call('HSET', state, 'au', now + ARGV[3]) end
return {'ok'}
