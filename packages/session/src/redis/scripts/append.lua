--[[
  Appends a batch: resend? → key used before? → lease → register → number → XADD → wake followers.

  KEYS[3]  once     hash: idempotency key → "<digest> <first> <last>"
  KEYS[4]  log      the stream; an entry holds some events of one append as lines of JSON, and its
                    id is "<seq of the last of them>-<mark>". The mark is the time of the append in µs: an event that a failover lost
                    and one that took its number later have different ones
  ARGV[3]  the log's name
  ARGV[4]  epoch    who appends over which connection, handed on to followers
  ARGV[5]  lease token, or ""
  ARGV[6]  idempotency key, or ""      ARGV[7]  digest of its body
  ARGV[8]  register, or ""             ARGV[9]  value it must have    ARGV[10]  value it gets
           (values are "" for none and "=<text>" otherwise)
  ARGV[11] the most bytes of events that are put into the wake-up itself
  ARGV[12…] pairs: how many events, and their lines

  Returns {'ok', first, last, aliases_due} · {'repeat', first, last} · {'absent'} · {'lease'} ·
  {'key'} · {'swap', found} · {'stale'}
]]
local FIRST_EVENT = 12
local once, log, name, epoch = KEYS[3], KEYS[4], ARGV[3], ARGV[4]
local token, key, digest, register = ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local fields = redis.call('HMGET', state, 'w:' .. writer, 's:' .. name, 'ttl', 'lt', 'lx')
local memory, seq, ttl, lease, expires =
  fields[1], tonumber(fields[2] or 0), fields[3], fields[4], fields[5]

local answer = earlier_answer(memory)
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end

if key ~= '' then
  local used = redis.call('HGET', once, key)
  if used then
    local body, first, last = string.match(used, '^(%S+) (%d+) (%d+)$')
    if body ~= digest then return {'key'} end
    return {'repeat', tonumber(first), tonumber(last)}
  end
end
if token ~= '' and (lease ~= token or tonumber(expires) <= now) then return {'lease'} end
if register ~= '' then
  local value = redis.call('HGET', state, 'r:' .. register)
  local found = value and '=' .. value or ''
  if found ~= ARGV[9] then return {'swap', found} end
end

-- The stream first: where its key holds something else, this fails and nothing is written.
local mark = string.format('%d%06d', time[1], time[2])
local first, bytes = seq + 1, 0
local texts = {}
for i = FIRST_EVENT, #ARGV, 2 do
  local text = ARGV[i + 1]
  seq = seq + tonumber(ARGV[i])
  bytes = bytes + #text
  texts[#texts + 1] = text
  redis.call('XADD', log, string.format('%d-%s', seq, mark), 'e', text)
end
if register ~= '' and ARGV[10] == '' then
  redis.call('HDEL', state, 'r:' .. register)
elseif register ~= '' then
  redis.call('HSET', state, 'r:' .. register, string.sub(ARGV[10], 2))
end
if first == 1 then
  redis.call('HSET', state, 'ls', (redis.call('HGET', state, 'ls') or ',') .. name .. ',')
end
if key ~= '' then redis.call('HSET', once, key, digest .. ' ' .. first .. ' ' .. seq) end
local due = 0
if ttl then
  local more = redis.call('HMGET', state, 'ls', 'au')
  renew(ttl, more[1])
  due = aliases_due(ttl, more[2])
end
-- Every batch comes by here: one call for number and answer, and no number is turned into text by
-- Lua's own conversion, which takes longer than the call.
remember(memory, string.format('["ok",%d,%d,%d]', first, seq, due),
  's:' .. name, string.format('%d', seq), 'e:' .. name, epoch)

local wake = ''
if bytes <= tonumber(ARGV[11]) then
  wake = string.format('%s\n%d\n%s\n', epoch, first, mark) .. table.concat(texts, '\n')
end
redis.call('PUBLISH', log, wake)
return {'ok', first, seq, due}
