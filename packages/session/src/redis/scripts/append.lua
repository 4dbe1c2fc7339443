--[[
  Appends a batch: resend? → key used before? → lease → register → number → XADD → wake followers.

  KEYS[3]  once     hash: idempotency key → "<digest> <first> <last>"
  KEYS[4]  log      the stream; entry ids are "<seq>-0", the one field is the event as JSON text
  ARGV[3]  the log's name
  ARGV[4]  epoch    who appends over which connection, handed on to followers
  ARGV[5]  lease token, or ""
  ARGV[6]  idempotency key, or ""      ARGV[7]  digest of its body
  ARGV[8]  register, or ""             ARGV[9]  value it must have    ARGV[10]  value it gets
           (values are "" for none and "=<text>" otherwise)
  ARGV[11] the most bytes of events that are put into the wake-up itself
  ARGV[12…] events

  Returns {'ok', first, last, aliases_due} · {'repeat', first, last} · {'absent'} · {'lease'} ·
  {'key'} · {'swap', found} · {'stale'}
]]
local FIRST_EVENT = 12
local once, log, name, epoch = KEYS[3], KEYS[4], ARGV[3], ARGV[4]
local token, key, digest, register = ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local fields = redis.call('HMGET', state,
  'w:' .. writer, 's:' .. name, 'ttl', 'ls', 'au', 'lt', 'lx', 'r:' .. register)
local memory, seq, ttl, logs, alias_until, lease, expires, value =
  fields[1], tonumber(fields[2] or 0), fields[3], fields[4], fields[5], fields[6], fields[7], fields[8]

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
  local found = value and '=' .. value or ''
  if found ~= ARGV[9] then return {'swap', found} end
end

-- The stream first: where its key holds something else, this fails and nothing is written.
local first, bytes = seq + 1, 0
for i = FIRST_EVENT, #ARGV do
  seq = seq + 1
  bytes = bytes + #ARGV[i]
  redis.call('XADD', log, string.format('%d-0', seq), 'e', ARGV[i])
end
if register ~= '' and ARGV[10] == '' then
  redis.call('HDEL', state, 'r:' .. register)
elseif register ~= '' then
  redis.call('HSET', state, 'r:' .. register, string.sub(ARGV[10], 2))
end
redis.call('HSET', state, 's:' .. name, seq)
if first == 1 then
  logs = (logs or ',') .. name .. ','
  redis.call('HSET', state, 'ls', logs)
end
if key ~= '' then redis.call('HSET', once, key, digest .. ' ' .. first .. ' ' .. seq) end
renew(ttl, logs)
answer = remember(memory, {'ok', first, seq, aliases_due(ttl, alias_until)})

local wake = ''
if bytes <= tonumber(ARGV[11]) then
  wake = epoch .. '\n' .. first .. '\n' .. table.concat(ARGV, '\n', FIRST_EVENT)
end
redis.call('PUBLISH', log, wake)
return answer
