--[[
  Reads a record. Runs without the prelude.

  KEYS[1] record  KEYS[2] state
  Returns {JSON, version, created, updated, group, time to live, aliases as JSON}, or nil. A record
  that another program wrote has no state: then only the JSON is there.
]]
local json = redis.call('GET', KEYS[1])
if not json then return nil end
local fields = redis.call('HMGET', KEYS[2], 'v', 'ca', 'ua', 'g', 'ttl', 'al')
return {json, fields[1], fields[2], fields[3], fields[4], fields[5], fields[6]}
