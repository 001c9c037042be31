--[[
  webhook-take: puts deliveries at the end of an endpoint's queue and moves its positions behind
  what they are about: once, since the positions must be those that the caller began from.

  KEYS[1]  webhook  hash  the endpoint
  KEYS[2]  queue    hash  subject -> JSON list of deliveries that wait
  KEYS[3]  due      zset  those subjects by the time of their next attempt

  ARGV[1]  before      positions as they were read; * for whatever they are
  ARGV[2]  after       positions to move to; empty: they stay
  ARGV[3]  deliveries  JSON: [[subject, JSON of the delivery], ...]
  ARGV[4]  waiting_max deliveries that an endpoint has at most

  Reply    {taken | stale | full | idle}
]]
local webhook, queue, due = KEYS[1], KEYS[2], KEYS[3]
local before, after, waiting_max = ARGV[1], ARGV[2], tonumber(ARGV[4])
local deliveries = cjson.decode(ARGV[3])

local state, positions, waiting =
  unpack(redis.call('HMGET', webhook, 'state', 'positions', 'waiting'))
if state ~= 'active' then return {'idle'} end
if before ~= '*' and before ~= (positions or '') then return {'stale'} end
if tonumber(waiting or 0) + #deliveries > waiting_max then return {'full'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, delivery in ipairs(deliveries) do
  local subject, text = delivery[1], delivery[2]
  local list = redis.call('HGET', queue, subject)
  if list then list = string.sub(list, 1, -2) .. ',' .. text .. ']'
  else
    list = '[' .. text .. ']'
    redis.call('ZADD', due, now, subject)
  end
  redis.call('HSET', queue, subject, list)
end
redis.call('HINCRBY', webhook, 'waiting', #deliveries)
if after ~= '' then
  -- Nothing waited: what stands before these is done with.
  if tonumber(waiting or 0) == 0 then redis.call('HSET', webhook, 'settled', positions or '') end
  redis.call('HSET', webhook, 'positions', after)
end
return {'taken'}
