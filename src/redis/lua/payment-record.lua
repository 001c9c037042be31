#!lua flags=allow-oom
--[[
  payment-record: keeps what a provider took for an order number, once, and pays the order with it.
  Money that pays no order is kept as a stray, which the refunds give back. A full memory does not
  stop it: the money was taken.

  KEYS[1]   order     hash    the order; there may be none
  KEYS[2]   events    list    its timeline
  KEYS[3]   unpaid    zset    order_no by the end of its payment window
  KEYS[4]   due       zset    order_no by the time of its next move
  KEYS[5]   outbox    stream  what happened in the partition
  KEYS[6]   payments  hash    what was taken for the order number
  KEYS[7]   taken     zset    order_no and payment by the time they were recorded
  KEYS[8]   refunds   zset    order_no by the time of the next attempt to give money back
  KEYS[9]   trial_held hash   product_id -> units in unpaid orders of trial keys
  KEYS[10]  by_status zset    order_no of paid orders by rank of the status and creation
  ARGV[1]   order_no
  ARGV[2]   payment   names it: the provider and its id there
  ARGV[3]   amount    in the smallest unit of the currency
  ARGV[4]   currency
  ARGV[5]   mode      sandbox or live: what kind of money it is
  ARGV[6]   given     JSON of what the provider said
  ARGV[7]   row       JSON of the table's row that pays
  ARGV[8]   due_ms    time until the order's next move; empty without one
  ARGV[9]   keep_ms   how long it stays in `taken`
  ARGV[10]  doorbell  channel that wakes the followers
  ARGV[11]  partition
  Reply     {paid, at}, {stray, why}, {known, its status}
]]
local order, events, unpaid, due, outbox, payments, taken, refunds, trial_held, by_status =
  unpack(KEYS)
local order_no, payment, amount, currency, mode, given, row, due_ms, keep_ms, doorbell, partition =
  unpack(ARGV)
row = cjson.decode(row)
local standing = payment .. '.status'
local known = redis.call('HGET', payments, standing)
if known then
  redis.call('HINCRBY', payments, 'replays', 1) -- A WAIT after it must have something to wait for.
  return {'known', known}
end
local status, owed, expires_at, product_id, agent, order_mode, paid_at, by_trial, created_at =
  unpack(redis.call('HMGET', order, 'status', 'amount', 'expires_at', 'product_id', 'agent', 'mode',
    'did:pay', 'trial_held', 'created_at'))
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function reason()
  if not status then return 'unknown' end
  if (order_mode or 'sandbox') ~= mode then return 'mode' end
  if currency ~= 'CNY' then return 'currency' end
  if tonumber(amount) ~= tonumber(owed) then return 'amount' end
  if paid_at then return 'second' end
  if not row.from[status] then return 'closed' end
  if now >= tonumber(expires_at) then return 'late' end
end
local why = reason()
local fields = {payment .. '.given', given, standing, why and 'stray' or 'applied',
  payment .. '.at', now}
if why then
  fields[7], fields[8] = payment .. '.why', why
end
local entry = order_no .. ' ' .. payment
redis.call('HSET', payments, unpack(fields))
redis.call('ZADD', taken, now, entry)
redis.call('ZREMRANGEBYSCORE', taken, '-inf', now - keep_ms)
if why then
  redis.call('ZADD', refunds, now, order_no)
  if status and currency == 'CNY' then redis.call('HINCRBY', order, 'stray', amount) end
  return {'stray', why}
end
if by_trial and redis.call('HINCRBY', trial_held, product_id, -by_trial) <= 0 then
  redis.call('HDEL', trial_held, product_id)
end
if by_trial then redis.call('HDEL', order, 'trial_held') end
redis.call('ZREM', unpaid, order_no)
redis.call('ZADD', by_status, row.score + created_at, order_no)
if due_ms ~= '' then redis.call('ZADD', due, now + due_ms, order_no)
else redis.call('ZREM', due, order_no) end
redis.call('HSET', order, 'status', row.to, 'did:pay', now, 'payment', payment)
for _, event in ipairs(row.events) do
  redis.call('RPUSH', events, string.format('{"event":"%s","at":%d}', event, now))
  redis.call('XADD', outbox, '*', 'type', event, 'at', now, 'product_id', product_id,
    'order_no', order_no, 'agent', agent)
end
redis.pcall('SPUBLISH', doorbell, partition)
return {'paid', tostring(now)}
