#!lua flags=allow-oom
--[[
  payment-return: notes what became of an attempt to give a payment back, and when the order's
  money is looked at next.

  KEYS[1]  payments  hash  what was taken for the order number
  KEYS[2]  order     hash  the order; there may be none
  KEYS[3]  refunds   zset  order_no by the time of the next attempt to give money back
  KEYS[4]  failed    zset  order_no by the time of the first attempt that failed
  KEYS[5]  outbox    stream  what happened in the partition
  ARGV[1]  order_no
  ARGV[2]  payment   names it; empty: the caller has seen nothing that still has to go back
  ARGV[3]  amount    that was given back; empty: the attempt failed, or is not confirmed yet
  ARGV[4]  trouble   what stood in the way, for the operator; or who says that it went back
  ARGV[5]  later_ms  time until the next look
  ARGV[6]  doorbell   channel that wakes the followers
  ARGV[7]  partition
  Reply    {returned | noted | done | owed, at}
]]
local payments, order, refunds, failed, outbox = unpack(KEYS)
local order_no, payment, amount, trouble, later_ms, doorbell, partition = unpack(ARGV)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HINCRBY', payments, 'replays', 1) -- A WAIT after it must have something to wait for.
if payment == '' then
  local is, paid_with = unpack(redis.call('HMGET', order, 'status', 'payment'))
  local fields = redis.call('HGETALL', payments)
  for at = 1, #fields, 2 do
    local name, value = fields[at], fields[at + 1]
    -- A payment that came since the caller looked.
    local is_owed = value == 'stray' or value == 'applied' and (is == 'refunded' or is == 'closed')
      and name == (paid_with or '') .. '.status'
    if is_owed and name:sub(-7) == '.status' then return {'owed', tostring(now)} end
  end
  redis.call('ZREM', refunds, order_no)
  redis.call('ZREM', failed, order_no)
  return {'done', tostring(now)}
end
local status, note = payment .. '.status', payment .. '.note'
local tries, returned_at = payment .. '.tries', payment .. '.returned_at'
local returned, said = payment .. '.returned', payment .. '.given'
local is = redis.call('HGET', payments, status)
if is ~= 'stray' and is ~= 'applied' then return {'done', tostring(now)} end
redis.call('ZADD', refunds, now + later_ms, order_no)
if amount == '' then
  redis.call('HINCRBY', payments, tries, 1)
  redis.call('HSET', payments, note, trouble)
  redis.call('ZADD', failed, 'NX', now, order_no)
  return {'noted', tostring(now)}
end
redis.call('HSET', payments, status, 'returned', returned, amount, returned_at, now, note, trouble)
local given = cjson.decode(redis.call('HGET', payments, said))
if given.currency == 'CNY' and redis.call('EXISTS', order) == 1 then
  redis.call('HINCRBY', order, 'given_back', amount)
  redis.call('HSET', order, 'given_back_at', now)
  local product_id, agent = unpack(redis.call('HMGET', order, 'product_id', 'agent'))
  redis.call('XADD', outbox, '*', 'type', 'refund_arrived', 'at', now, 'product_id', product_id,
    'order_no', order_no, 'agent', agent, 'amount', amount)
  redis.pcall('SPUBLISH', doorbell, partition)
end
return {'returned', tostring(now)}
