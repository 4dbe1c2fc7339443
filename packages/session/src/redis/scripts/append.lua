--[[
  Appends a batch: resend? → key used before? → lease → register → number → XADD → wake followers.

  KEYS[3]  once  KEYS[4] log
  ARGV[3]  the log's name
  ARGV[4]  epoch    who appends over which connection, handed on to followers
  ARGV[5]  lease token, or ""
  ARGV[6]  0, or 5 for these conditions after it:
           idempotency key, or "" · digest of its body
           register, or "" · value it must have · value it gets ("" for none, else "=<text>")
  then     pairs: how many events, and their lines

  Returns {'ok', first, last, aliases_due, mark} · {'repeat', first, last} · {'absent'} · {'lease'} ·
  {'key'} · {'swap', found} · {'stale'}
]]
local once, log, name, epoch = KEYS[3], KEYS[4], ARGV[3], ARGV[4]
local token, key, register, first_event = ARGV[5], '', '', 7
local digest, from, to
if ARGV[6] == '5' then
  key, digest, register, from, to = ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11]
  first_event = 12
end

local fields = redis.call('HMGET', state, 'w:' .. writer, 's:' .. name, 'ttl', 'lt', 'lx',
  'o:' .. name)
local memory, seq, ttl, lease, expires, open =
  fields[1], tonumber(fields[2] or 0), fields[3], fields[4], fields[5], fields[6]

local answer = earlier_answer(memory)
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end
local refused = refusal(once, key, digest, token, lease, expires, register, from)
if refused then return refused end

local last, now_open, wake = store_events(log, name, epoch, seq, open, first_event, #ARGV)
local first = seq + 1
if register ~= '' then set_register(register, to) end
if key ~= '' then redis.call('HSET', once, key, digest .. ' ' .. first .. ' ' .. last) end
local due = 0
if ttl then
  local more = redis.call('HMGET', state, 'ls', 'au')
  renew(ttl, more[1])
  due = aliases_due(ttl, more[2])
end
-- Every batch comes by here: one call for number and answer, and no number is turned into text by
-- Lua's own conversion, which takes longer than the call.
remember(memory, string.format('["ok",%d,%d,%d,"%s"]', first, last, due, mark),
  's:' .. name, string.format('%d', last), 'e:' .. name, epoch, 'o:' .. name, now_open)
redis.call('PUBLISH', log, wake)
return {'ok', first, last, due, mark}
