--[[
  order-place: places an attempt's order once; a repeated attempt gets the order as it is.

  KEYS[1]   sku          hash    what the order is computed from
  KEYS[2]   stock        hash    product_id -> units left
  KEYS[3]   order        hash    the order
  KEYS[4]   events       list    its timeline
  KEYS[5]   unpaid       zset    order_no by the end of its payment window
  KEYS[6]   outbox       stream  what happened in the partition
  KEYS[7]   trial_held   hash    product_id -> units in unpaid orders of trial keys
  ARGV[1]   order_no
  ARGV[2]   agent
  ARGV[3]   attempt      idempotency key
  ARGV[4]   fingerprint  of the request
  ARGV[5]   product_id
  ARGV[6]   merchant_id
  ARGV[7]   qty
  ARGV[8]   receiver     encrypted
  ARGV[9]   given        JSON of what is kept with the order and decides nothing
  ARGV[10]  window_ms    time in which it must be paid
  ARGV[11]  quoted       amount that was promised; empty without a quote
  ARGV[12]  doorbell     channel that wakes the followers
  ARGV[13]  partition
  ARGV[14]  amount_max   that the owner of the agent allows; empty without a limit
  ARGV[15]  categories   the same: their ids, each between commas
  ARGV[16]  mode         sandbox or live: what kind of money it may be paid with
  ARGV[17]  share        percent of a product's stock that trial keys may hold; empty for others
  Reply     {placed | exists, fields...}, {mismatch | unknown | merchant},
            {cap | stock | share, units},
            {price, of one, freight, amount}, {category, its id}, {amount, fen}
]]
local sku, stock, order, events, unpaid, outbox, trial_held = unpack(KEYS)
local order_no, agent, attempt, fingerprint, product_id, merchant_id, qty, receiver, given,
  window_ms, quoted, doorbell, partition, amount_max, categories, mode, share = unpack(ARGV)
local owner = redis.call('HMGET', order, 'agent', 'fingerprint')
if owner[1] then
  if owner[1] ~= agent or owner[2] ~= fingerprint then return {'mismatch'} end
  redis.call('HINCRBY', order, 'replays', 1) -- A WAIT after it must have something to wait for.
  return {'exists', unpack(redis.call('HMGET', order, 'status', 'product_id', 'sku_id', 'title',
    'qty', 'unit_price', 'freight', 'amount', 'created_at', 'expires_at', 'mode'))}
end
local fact = redis.call('HMGET', sku, 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
  'qty_cap', 'retail_price', 'freight', 'free_ship_threshold', 'category_id')
local cap, price = tonumber(fact[6]), tonumber(fact[7])
local freight, free_from = tonumber(fact[8]), tonumber(fact[9])
local left = tonumber(redis.call('HGET', stock, product_id) or 0)
local is_whole = fact[4] and fact[5] and cap and price and freight and free_from
if fact[1] ~= 'own' or fact[2] == '1' or not is_whole then return {'unknown'} end
if fact[3] ~= merchant_id then return {'merchant'} end
if price * qty >= free_from then freight = 0 end
local amount, time = price * qty + freight, redis.call('TIME')
if quoted ~= '' and tonumber(quoted) ~= amount then
  return {'price', tostring(price), tostring(freight), tostring(amount)}
end
local category = fact[10] or ''
if categories ~= '' and not string.find(categories, ',' .. category .. ',', 1, true) then
  return {'category', category}
end
if amount_max ~= '' and amount > tonumber(amount_max) then return {'amount', tostring(amount)} end
if tonumber(qty) > cap then return {'cap', fact[6]} end
if tonumber(qty) > left then return {'stock', tostring(left)} end
if share ~= '' then
  local taken = tonumber(redis.call('HGET', trial_held, product_id) or 0)
  local free = math.max(1, math.floor((left + taken) * share / 100)) - taken
  if tonumber(qty) > free then return {'share', tostring(math.max(0, free))} end
end
local now = time[1] * 1000 + math.floor(time[2] / 1000)
left = redis.call('HINCRBY', stock, product_id, -qty)
redis.call('HSET', order, 'status', 'pending_payment', 'agent', agent, 'fingerprint', fingerprint,
  'product_id', product_id, 'merchant_id', merchant_id, 'sku_id', fact[4], 'title', fact[5],
  'qty', qty, 'held', qty, 'unit_price', price, 'freight', freight, 'amount', amount,
  'receiver', receiver, 'given', given, 'created_at', now, 'expires_at', now + window_ms,
  'mode', mode)
if share ~= '' then
  redis.call('HINCRBY', trial_held, product_id, qty)
  redis.call('HSET', order, 'trial_held', qty)
end
redis.call('RPUSH', events, string.format('{"event":"created","at":%d}', now))
redis.call('ZADD', unpaid, now + window_ms, order_no)
redis.call('XADD', outbox, '*', 'type', 'created', 'at', now, 'product_id', product_id,
  'stock', left, 'order_no', order_no, 'agent', agent, 'attempt', attempt)
redis.pcall('SPUBLISH', doorbell, partition)
-- As it would be read back: whole numbers have at most 14 digits, so each is written in full.
return {'placed', 'pending_payment', product_id, fact[4], fact[5], qty, tostring(price),
  tostring(freight), tostring(amount), tostring(now), tostring(now + window_ms), mode}
