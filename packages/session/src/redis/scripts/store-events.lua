--[[
  Put after the prelude, before scripts that append.

  The log is a stream. An entry holds events as lines of JSON in the field e, and its id is
  "<seq of the last of them>-<mark>". The mark is the time of the append in µs: an event that a failover
  lost and one that took its number later have different ones. A folded entry holds what were several,
  and their ids in the field m.
  The hash `once` maps an idempotency key to "<digest> <first> <last>".
]]
-- The most bytes of events that are put into the wake-up itself. Larger batches are read, but not by the
-- process that appended them: its followers have them from it.
local WAKE_BYTES = 16 * 1024
-- So many entries in a row are folded into one, if they are small: readers pay by the entry.
local FOLD_ENTRIES, FOLD_BYTES = 32, 64 * 1024
local mark = string.format('%d%06d', time[1], time[2])

-- Why an append is not to be done, or nil. `from` is "" for an empty register, else "=<text>".
local function refusal(once, key, digest, token, lease, expires, register, from)
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
  return nil
end

local function set_register(register, to)
  if to == '' then
    redis.call('HDEL', state, 'r:' .. register)
  else
    redis.call('HSET', state, 'r:' .. register, string.sub(to, 2))
  end
end

-- The last entries become one, whose id is that of the newest.
local function fold(log, seq, count)
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

-- Stores the pairs of ARGV from `from` to `to`, how many events and their lines, after `seq`. `open` is
-- the entries since the last fold, and their bytes. Returns the last seq, `open` as it is to be, and the
-- wake-up. The stream is written first: where its key holds something else, this fails and nothing is
-- changed.
local function store_events(log, name, epoch, seq, open, from, to)
  local first, bytes = seq + 1, 0
  local texts = {}
  for i = from, to, 2 do
    local text = ARGV[i + 1]
    seq = seq + tonumber(ARGV[i])
    bytes = bytes + #text
    texts[#texts + 1] = text
    redis.call('XADD', log, string.format('%d-%s', seq, mark), 'e', text)
  end
  -- Large entries stay as they are.
  local run, size = string.match(open or '0 0', '^(%d+) (%d+)$')
  run, size = run + #texts, size + bytes
  if size > FOLD_BYTES then
    run, size = 0, 0
  elseif run >= FOLD_ENTRIES then
    fold(log, seq, run)
    run, size = 0, 0
  end
  if first == 1 then
    redis.call('HSET', state, 'ls', (redis.call('HGET', state, 'ls') or ',') .. name .. ',')
  end
  local wake = string.format('%s\n%d\n%s\n', epoch, first, mark)
  if bytes <= WAKE_BYTES then wake = wake .. table.concat(texts, '\n') end
  return seq, string.format('%d %d', run, size), wake
end
