--[[
  Appends a batch: resend? → key used before? → lease → register → number → XADD → wake followers.

  KEYS[3]  once     hash: idempotency key → "<digest> <first> <last>"
  KEYS[4]  log      the stream; an entry holds events as lines of JSON in the field e, and its id is
                    "<seq of the last of them>-<mark>". The mark is the time of the append in µs: an
                    event that a failover lost and one that took its number later have different
                    ones. A folded entry holds what were several, and their ids in the field m
  ARGV[3]  the log's name
  ARGV[4]  epoch    who appends over which connection, handed on to followers
  ARGV[5]  lease token, or ""
  ARGV[6]  0, or 5 for these conditions after it:
           idempotency key, or "" · digest of its body
           register, or "" · value it must have · value it gets ("" for none, else "=<text>")
  then     pairs: how many events, and their lines

  Returns {'ok', first, last, aliases_due} · {'repeat', first, last} · {'absent'} · {'lease'} ·
  {'key'} · {'swap', found} · {'stale'}
]]
-- The most bytes of events that are put into the wake-up itself; larger batches are read.
local WAKE_BYTES = 256 * 1024
-- So many entries in a row are folded into one, if they are small: readers pay by the entry.
local FOLD_ENTRIES, FOLD_BYTES = 32, 64 * 1024
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
  if found ~= from then return {'swap', found} end
end

-- The stream first: where its key holds something else, this fails and nothing is written.
local mark = string.format('%d%06d', time[1], time[2])
local first, bytes = seq + 1, 0
local texts = {}
for i = first_event, #ARGV, 2 do
  local text = ARGV[i + 1]
  seq = seq + tonumber(ARGV[i])
  bytes = bytes + #text
  texts[#texts + 1] = text
  redis.call('XADD', log, string.format('%d-%s', seq, mark), 'e', text)
end

-- The last entries become one, whose id is that of the newest.
local function fold(count)
  local entries = redis.call('XREVRANGE', log, '+', '-', 'COUNT', count)
  local ids, lines = {}, {}
  for i = #entries, 1, -1 do
    ids[#ids + 1] = entries[i][1]
    lines[#lines + 1] = entries[i][2][2]
  end
  redis.call('XDEL', log, unpack(ids))
  redis.call('XSETID', log, string.format('%d-0', seq - 1))
  redis.call('XADD', log, ids[#ids], 'e', table.concat(lines, '\n'), 'm', table.concat(ids, ' '))
end

-- The entries since the last fold, and their bytes. Large ones stay as they are.
local run, size = string.match(open or '0 0', '^(%d+) (%d+)$')
run, size = run + #texts, size + bytes
if size > FOLD_BYTES then
  run, size = 0, 0
elseif run >= FOLD_ENTRIES then
  fold(run)
  run, size = 0, 0
end

if register ~= '' and to == '' then
  redis.call('HDEL', state, 'r:' .. register)
elseif register ~= '' then
  redis.call('HSET', state, 'r:' .. register, string.sub(to, 2))
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
  's:' .. name, string.format('%d', seq), 'e:' .. name, epoch,
  'o:' .. name, string.format('%d %d', run, size))

local wake = ''
if bytes <= WAKE_BYTES then
  wake = string.format('%s\n%d\n%s\n', epoch, first, mark) .. table.concat(texts, '\n')
end
redis.call('PUBLISH', log, wake)
return {'ok', first, seq, due}
