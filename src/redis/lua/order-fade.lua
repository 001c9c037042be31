--[[
  order-fade: gives an order that was closed unpaid the time at which it is dropped, where older
  code closed it without one.

  KEYS[1]  order     hash    the order
  KEYS[2]  events    list    its timeline
  KEYS[3]  fading    zset    "order_no agent" of orders never paid, by the time they are dropped

  ARGV[1]  order_no
  ARGV[2]  fade_ms   how long it is kept from now on

  Reply    when it is dropped, milliseconds; 0 for an order that is kept
]]
local order, events, fading = KEYS[1], KEYS[2], KEYS[3]
local order_no, fade_ms = ARGV[1], ARGV[2]

local status, agent, paid = unpack(redis.call('HMGET', order, 'status', 'agent', 'did:pay'))
if status ~= 'closed' or paid then return 0 end
for _, line in ipairs(redis.call('LRANGE', events, 0, -1)) do
  if string.find(line, '"event":"paid"', 1, true) then return 0 end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left, name = redis.call('PTTL', order), order_no .. ' ' .. agent
if left < 0 then
  left = tonumber(fade_ms)
  redis.call('PEXPIREAT', order, now + left)
  redis.call('PEXPIREAT', events, now + left)
end
redis.call('ZADD', fading, 'NX', now + left, name)
return now + left
