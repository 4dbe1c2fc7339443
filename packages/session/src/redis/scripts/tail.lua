--[[
  Reads the last events, oldest first. Runs without the prelude.

  KEYS[1] record  KEYS[2] state  KEYS[3] log
  ARGV[1] the log's name  ARGV[2] how many
  Returns what read.lua returns.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return nil end
local fields = redis.call('HMGET', KEYS[2], 'f:' .. ARGV[1], 's:' .. ARGV[1])
local last = tonumber(fields[2] or 0)
local found = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', ARGV[2])
local first, start = tonumber(fields[1] or 1), last - #found + 1
if #found < tonumber(ARGV[2]) then first = start end
local function mark(entry) return entry and string.match(entry[1], '%d+$') or '' end
local reply = {first, last, start, mark(found[#found]), mark(found[1])}
for i = #found, 1, -1 do reply[#reply + 1] = found[i][2][2] end
return reply
