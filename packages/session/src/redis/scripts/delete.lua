--[[
  Removes a session, and wakes its followers so that they see it. Runs without the prelude.

  KEYS[1] record  KEYS[2] state
  Returns {aliases as JSON, group}, or nil where there was nothing.
]]
local fields = redis.call('HMGET', KEYS[2], 'al', 'g', 'ls')
local existed = redis.call('DEL', KEYS[1], KEYS[2], '{' .. KEYS[1] .. '}:once')
for name in string.gmatch(fields[3] or '', '[^,]+') do
  local log = '{' .. KEYS[1] .. '}:log:' .. name
  redis.call('DEL', log)
  redis.call('PUBLISH', log, '')
end
if existed == 0 then return nil end
return {fields[1] or '[]', fields[2] or ''}
