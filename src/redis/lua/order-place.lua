--[[
  order-place: places an attempt's order once; a repeated attempt gets the order as it is.

  KEYS[1]   sku          hash    what the order is computed from
  KEYS[2]   stock        hash    product_id -> units left
  KEYS[3]   order        hash    the order
  KEYS[4]   events       list    its timeline
  KEYS[5]   unpaid       zset    order_no by the end of its payment window
  KEYS[6]   outbox       stream  what happened in the partition

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
  ARGV[11]  doorbell     channel that wakes the followers
  ARGV[12]  partition

  Reply     {placed | exists, fields...}, {mismatch | unknown | merchant}, {cap | stock, units}
]]
local sku, stock, order, events, unpaid, outbox = unpack(KEYS)
local order_no, agent, attempt, fingerprint, product_id, merchant_id, qty, receiver, given,
  window_ms, doorbell, partition = unpack(ARGV)
local function answer(code)
  return {code, unpack(redis.call('HMGET', order, 'status', 'product_id', 'sku_id', 'title', 'qty',
    'unit_price', 'freight', 'amount', 'created_at', 'expires_at'))}
end
local owner = redis.call('HMGET', order, 'agent', 'fingerprint')
if owner[1] then
  if owner[1] ~= agent or owner[2] ~= fingerprint then return {'mismatch'} end
  redis.call('HINCRBY', order, 'replays', 1) -- A WAIT after it must have something to wait for.
  return answer('exists')
end
local fact = redis.call('HMGET', sku, 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
  'qty_cap', 'retail_price', 'freight', 'free_ship_threshold')
local cap, price, freight, free_from = unpack({tonumber(fact[6]), tonumber(fact[7]), tonumber(fact[8]), tonumber(fact[9])})
