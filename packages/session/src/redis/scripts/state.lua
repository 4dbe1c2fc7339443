--[[
  Shows where a session stands. Runs without the prelude.

  KEYS[1] record  KEYS[2] state  ARGV[1] the log's name
  Returns {first kept, last assigned, lease holder, token, remaining ms, register, value, …}, or nil.
  The three lease fields are "" when nobody holds it.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return nil end
local fields = redis.call('HGETALL', KEYS[2])
local values, registers = {}, {}
for i = 1, #fields, 2 do
  values[fields[i]] = fields[i + 1]
  if string.sub(fields[i], 1, 2) == 'r:' then
    registers[#registers + 1] = string.sub(fields[i], 3)
    registers[#registers + 1] = fields[i + 1]
  end
end
local reply = {tonumber(values['f:' .. ARGV[1]] or 1), tonumber(values['s:' .. ARGV[1]] or 0), '', '', ''}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if values.lx and tonumber(values.lx) > now then
  reply[3], reply[4], reply[5] = values.lh, tonumber(values.lt), tonumber(values.lx) - now
end
for i = 1, #registers do reply[#reply + 1] = registers[i] end
return reply
