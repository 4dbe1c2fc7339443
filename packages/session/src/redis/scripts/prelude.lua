--[[
  Put before every script that changes a session. All keys of a session share its record's hash tag,
  so a script touches one slot.

  KEYS[1]  record   the value as JSON text
  KEYS[2]  state    hash of everything else:
             v, ca, ua, g, ttl, al   version, created, updated, group, time to live, aliases (JSON)
             au                      until when the alias keys live
             lt, lh, lx, tk          lease token, holder, expiry; the last token given out
             ls                      names of the logs, each between commas
             s:<log>, f:<log>        last seq assigned, first seq kept
             e:<log>                 the epoch of the last append
             o:<log>                 entries since the last fold, and their bytes
             r:<name>, c:<name>      registers, counters
             w:<writer>, wn          each writer's last operation, and how many writers there are
  ARGV[1]  writer   names the process that calls
  ARGV[2]  op       grows with every operation of that writer, and stays when one is sent again

  A writer has one operation on a session under way at a time. An operation that arrives again gets
  its first answer; one that arrives after a newer one is refused, for its caller has given up.
]]
local record, state, writer, op = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local WRITERS, WRITER_SECONDS = 64, 600

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- The answer that this operation got before, as a table, or nil.
local function earlier_answer(memory)
  if not memory then return nil end
  local last, answer = string.match(memory, '^(%d+) %d+ (.*)$')
  if tonumber(last) < tonumber(op) then return nil end
  if last ~= op then return {'stale'} end
  return cjson.decode(answer)
end

local function forget_old_writers()
  local fields = redis.call('HGETALL', state)
  local kept = 0
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'w:' then
      local seen = string.match(fields[i + 1], '^%d+ (%d+) ')
      if time[1] - seen > WRITER_SECONDS then
        redis.call('HDEL', state, fields[i])
      else
        kept = kept + 1
      end
    end
  end
  redis.call('HSET', state, 'wn', kept)
end

-- Keeps the answer for a resend, as a table or as the JSON of one, and sets more fields of the state
-- with it. `memory` is what was there before.
local function remember(memory, answer, ...)
  local text = type(answer) == 'string' and answer or cjson.encode(answer)
  redis.call('HSET', state, 'w:' .. writer, op .. ' ' .. time[1] .. ' ' .. text, ...)
  if not memory and redis.call('HINCRBY', state, 'wn', 1) > WRITERS then forget_old_writers() end
  return answer
end

local function each_log(logs, visit)
  for name in string.gmatch(logs or '', '[^,]+') do
    visit('{' .. record .. '}:log:' .. name, name)
  end
end

-- Every write renews the time to live of the whole session.
local function renew(ttl, logs)
  if not ttl then return end
  redis.call('PEXPIRE', record, ttl)
  redis.call('PEXPIRE', state, ttl)
  redis.call('PEXPIRE', '{' .. record .. '}:once', ttl)
  each_log(logs, function(key) redis.call('PEXPIRE', key, ttl) end)
end

-- Whether the alias keys, which live in other slots, would end before the record.
local function aliases_due(ttl, until_ms)
  if ttl and until_ms and tonumber(until_ms) < now + ttl then return 1 end
  return 0
end
