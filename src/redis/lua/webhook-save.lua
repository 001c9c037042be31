--[[
  webhook-save: writes fields of a webhook endpoint, and has it proven anew where it is to be.

  KEYS[1]  webhook  hash  the endpoint
  KEYS[2]  queue    hash  subject -> JSON list of deliveries that wait
  KEYS[3]  due      zset  those subjects by the time of their next attempt

  ARGV[1]  fields     JSON: [field, value, ...]
  ARGV[2]  challenge  JSON list of the delivery that proves it; empty: it stays as it is
  ARGV[3]  is_new     1: it is made; else it must be there
  ARGV[4]  kept_ms    for so long what waits for an endpoint that is disabled is kept

  Reply    1 when it was written
]]
local webhook, queue, due = KEYS[1], KEYS[2], KEYS[3]
local fields, challenge, is_new = cjson.decode(ARGV[1]), ARGV[2], ARGV[3] == '1'
local kept_ms = ARGV[4]

if not is_new and redis.call('EXISTS', webhook) == 0 then return 0 end
redis.call('HSET', webhook, unpack(fields))
if challenge ~= '' then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('HSET', webhook, 'state', 'unproven', 'fails', 0)
  redis.call('HDEL', webhook, 'failing_since', 'paused_until', 'reason', 'unsaid')
  if redis.call('EXISTS', queue) == 0 then redis.call('HSET', webhook, 'waiting', 0) end
  redis.call('PERSIST', queue)
  redis.call('PERSIST', due)
  redis.call('HSET', queue, 'challenge', challenge)
  redis.call('ZADD', due, now, 'challenge')
elseif redis.call('HGET', webhook, 'state') == 'disabled' then
  redis.call('PEXPIRE', queue, kept_ms)
  redis.call('PEXPIRE', due, kept_ms)
end
return 1
