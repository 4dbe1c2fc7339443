--[[
  Reads events after a cursor. Runs without the prelude.

  KEYS[1] record  KEYS[2] state  KEYS[3] log
  ARGV[1] the log's name  ARGV[2] cursor  ARGV[3] limit
  Returns {first kept, last assigned, seq of the first event here, its mark, the mark of the last,
  events…}, or nil when absent.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return nil end
local fields = redis.call('HMGET', KEYS[2], 'f:' .. ARGV[1], 's:' .. ARGV[1])
local first = tonumber(fields[1] or 1)
local last = tonumber(fields[2] or 0)
local start = math.max(tonumber(ARGV[2]) + 1, first)
local found = redis.call('XRANGE', KEYS[3], string.format('%d-0', start), '+', 'COUNT', ARGV[3])
-- A server with an eviction policy may have dropped the stream: what is left is what is kept.
local next = found[1] and tonumber(string.match(found[1][1], '^%d+')) or last + 1
if next > start then first, start = next, next end
local function mark(entry) return entry and string.match(entry[1], '%d+$') or '' end
local reply = {first, last, start, mark(found[1]), mark(found[#found])}
for i = 1, #found do reply[i + 5] = found[i][2][2] end
return reply
