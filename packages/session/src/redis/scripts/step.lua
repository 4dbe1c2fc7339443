--[[
  Appends to one log, and does all that happens in the same step.

  KEYS[3]  once  KEYS[4] log  KEYS[5] alarms, or the log again where they are in another slot
  ARGV[3]  the log's name
  ARGV[4]  epoch, as for append
  ARGV[5]  lease token, or ""
  ARGV[6]  idempotency key, or ""  ARGV[7] digest of its body
  ARGV[8]  register, or ""  ARGV[9] value it must have  ARGV[10] value it gets
  ARGV[11] the last seq that the log must have, or ""
  ARGV[12] "" or, to set the alarm: the id  ARGV[13] in how many ms
  ARGV[14] "" or, to take the lease: its holder  ARGV[15] for how many ms
  ARGV[16] "" or, to settle: the version of the record  ARGV[17] JSON  ARGV[18] updated
  ARGV[19] rows, and for each of them from here on: log, idempotency key, digest, 1, line
  then     pairs: how many events, and their lines

  Returns {'ok', first, last, aliases_due, mark, token or 0, record changed: 1 or 0} and, with a token,
  {JSON, version, created, updated, group, time to live, aliases as JSON} and {register, value, …} after it.
  Sent again it leaves out these two. Else as append, and {'moved', last}
]]
local ROW = 5
local once, log, alarms, name, epoch = KEYS[3], KEYS[4], KEYS[5], ARGV[3], ARGV[4]
local key, digest, register = ARGV[6], ARGV[7], ARGV[8]
local alarm_id, holder, version = ARGV[12], ARGV[14], ARGV[16]
local rows_end = 19 + ARGV[19] * ROW

local fields = redis.call('HMGET', state, 'w:' .. writer, 's:' .. name, 'ttl', 'lt', 'lx',
  'o:' .. name, 'tk', 'v')
local memory, seq, ttl, lease, expires, open, last_token, found_version =
  fields[1], tonumber(fields[2] or 0), fields[3], fields[4], fields[5], fields[6], fields[7], fields[8]

local answer = earlier_answer(memory)
if answer then return answer end
if redis.call('EXISTS', record) == 0 then return {'absent'} end
local refused = refusal(once, key, digest, ARGV[5], lease, expires, register, ARGV[9])
if refused then return refused end
if ARGV[11] ~= '' and tonumber(ARGV[11]) ~= seq then return {'moved', seq} end

local last, now_open, wake = store_events(log, name, epoch, seq, open, rows_end + 1, #ARGV)
local first = seq + 1
redis.call('HSET', state, 's:' .. name, string.format('%d', last), 'e:' .. name, epoch,
  'o:' .. name, now_open)
redis.call('PUBLISH', log, wake)
if register ~= '' then set_register(register, ARGV[10]) end
if key ~= '' then redis.call('HSET', once, key, digest .. ' ' .. first .. ' ' .. last) end

for i = 20, rows_end, ROW do
  local row_log, row_key = ARGV[i], ARGV[i + 1]
  if redis.call('HEXISTS', once, row_key) == 0 then
    local stream = '{' .. record .. '}:log:' .. row_log
    local at = redis.call('HMGET', state, 's:' .. row_log, 'o:' .. row_log)
    local row_seq, row_open, row_wake =
      store_events(stream, row_log, epoch, tonumber(at[1] or 0), at[2], i + 3, i + 4)
    redis.call('HSET', state, 's:' .. row_log, string.format('%d', row_seq), 'e:' .. row_log, epoch,
      'o:' .. row_log, row_open)
    redis.call('HSET', once, row_key, ARGV[i + 2] .. ' ' .. row_seq .. ' ' .. row_seq)
    redis.call('PUBLISH', stream, row_wake)
  end
end

local changed, token = 0, 0
if version ~= '' then
  redis.call('HDEL', state, 'lt', 'lh', 'lx')
  if (found_version or '1') == version then
    redis.call('SET', record, ARGV[17])
    redis.call('HSET', state, 'v', version + 1, 'ua', ARGV[18])
  else
    changed = 1
  end
end
if holder ~= '' and not (expires and tonumber(expires) > now) then
  token = last_token and last_token + 1 or now
  local text = string.format('%d', token)
  redis.call('HSET', state, 'tk', text, 'lt', text, 'lh', holder, 'lx', now + ARGV[15])
end
if alarm_id ~= '' then redis.call('ZADD', alarms, now + ARGV[13], alarm_id) end

local due = 0
if ttl then
  local more = redis.call('HMGET', state, 'ls', 'au')
  renew(ttl, more[1])
  due = aliases_due(ttl, more[2])
end
remember(memory, string.format('["ok",%d,%d,%d,"%s",%d,%d]', first, last, due, mark, token, changed))
if token == 0 then return {'ok', first, last, due, mark, token, changed} end

local all = redis.call('HGETALL', state)
local values, registers = {}, {}
for i = 1, #all, 2 do
  values[all[i]] = all[i + 1]
  if string.sub(all[i], 1, 2) == 'r:' then
    registers[#registers + 1] = string.sub(all[i], 3)
    registers[#registers + 1] = all[i + 1]
  end
end
local shown = {redis.call('GET', record), values.v or false, values.ca or false, values.ua or false,
  values.g or false, values.ttl or false, values.al or false}
return {'ok', first, last, due, mark, token, changed, shown, registers}
