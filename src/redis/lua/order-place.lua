--[[
  order-place: binds an attempt's key and places its order once; a repeated attempt gets the order
  as it is. The claim of an order has no end from the start, that of an attempt which brought
  nothing about has one. Where the ledger is a cluster, claim-bind has bound the key before.

  KEYS[1]   sku          hash    what the order is computed from
  KEYS[2]   stock        hash    product_id -> units left
  KEYS[3]   order        hash    the order
  KEYS[4]   events       list    its timeline
  KEYS[5]   unpaid       zset    order_no by the end of its payment window
  KEYS[6]   outbox       stream  what happened in the partition
  KEYS[7]   trial_held   hash    product_id -> units in unpaid orders of trial keys
  KEYS[8]   claim        string  "fingerprint order_no"; the order's key where it was bound before
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
  ARGV[18]  claim_ttl_s  seconds that a claim without an order is kept; empty where it was bound
  Reply     {placed, sku_id, title, unit_price, freight, amount, created_at}: what the caller
            does not know; {exists, fields...}, {mismatch | unknown | merchant},
            {bound, other order_no}, {cap | stock | share, units},
            {price, of one, freight, amount}, {category, its id}, {amount, fen}
]]
local sku, stock, order, events, unpaid, outbox, trial_held, claim = unpack(KEYS)
local order_no, agent, attempt, fingerprint, product_id, merchant_id, qty, receiver, given,
  window_ms, quoted, doorbell, partition, amount_max, categories, mode, share,
  claim_ttl_s = unpack(ARGV)
-- Returns what is in the way of it. A claim that has an end keeps it until an order is placed.
local function bind(is_brief)
  if claim_ttl_s == '' then return nil end
  local wanted, ending = fingerprint .. ' ' .. order_no, is_brief and {'EX', claim_ttl_s} or {}
  local bound = redis.call('SET', claim, wanted, 'NX', 'GET', unpack(ending))
  if not bound then return nil end
  local bound_to, number = string.match(bound, '^(%S+) (%S+)')
  if bound_to ~= fingerprint then return {'mismatch'} end
  if number ~= order_no then return {'bound', number} end
  if not is_brief then redis.call('SET', claim, wanted) end
end
local owner = redis.call('HMGET', order, 'agent', 'fingerprint')
if owner[1] then
  if owner[1] ~= agent or owner[2] ~= fingerprint then return {'mismatch'} end
  local in_the_way = bind(true)
  if in_the_way then return in_the_way end
  redis.call('HINCRBY', order, 'replays', 1) -- A WAIT after it must have something to wait for.
  return {'exists', unpack(redis.call('HMGET', order, 'status', 'product_id', 'sku_id', 'title',
    'qty', 'unit_price', 'freight', 'amount', 'created_at', 'expires_at', 'mode'))}
end
local fact = redis.call('HMGET', sku, 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
  'qty_cap', 'retail_price', 'freight', 'free_ship_threshold', 'category_id')
local cap, price = tonumber(fact[6]), tonumber(fact[7])
local freight, free_from = tonumber(fact[8]), tonumber(fact[9])
local left, amount = tonumber(redis.call('HGET', stock, product_id) or 0), 0
local function refusal()
  local is_whole = fact[4] and fact[5] and cap and price and freight and free_from
  if fact[1] ~= 'own' or fact[2] == '1' or not is_whole then return {'unknown'} end
  if fact[3] ~= merchant_id then return {'merchant'} end
  if price * qty >= free_from then freight = 0 end
  amount = price * qty + freight
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
  if share == '' then return nil end
  local taken = tonumber(redis.call('HGET', trial_held, product_id) or 0)
  local free = math.max(1, math.floor((left + taken) * share / 100)) - taken
  if tonumber(qty) > free then return {'share', tostring(math.max(0, free))} end
end
local refused = refusal()
local in_the_way = bind(refused ~= nil)
if in_the_way or refused then return in_the_way or refused end
-- What was read above has the right type: none of the next writes can fail and leave the others.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local by_trial = share ~= '' and {'trial_held', qty} or {}
redis.call('HSET', order, 'status', 'pending_payment', 'agent', agent, 'fingerprint', fingerprint,
  'product_id', product_id, 'merchant_id', merchant_id, 'sku_id', fact[4], 'title', fact[5],
  'qty', qty, 'held', qty, 'unit_price', price, 'freight', freight, 'amount', amount,
  'receiver', receiver, 'given', given, 'created_at', now, 'expires_at', now + window_ms,
  'mode', mode, unpack(by_trial))
redis.call('HSET', stock, product_id, left - qty)
if share ~= '' then redis.call('HINCRBY', trial_held, product_id, qty) end
redis.call('RPUSH', events, string.format('{"event":"created","at":%d}', now))
redis.call('ZADD', unpaid, now + window_ms, order_no)
-- The attempt stands in it where its claim is still to be kept.
local to_keep = claim_ttl_s == '' and {'attempt', attempt} or {}
redis.call('XADD', outbox, '*', 'type', 'created', 'at', now, 'product_id', product_id,
  'stock', left - qty, 'order_no', order_no, 'agent', agent, unpack(to_keep))
redis.pcall('SPUBLISH', doorbell, partition)
-- As it would be read back: whole numbers have at most 14 digits, so each is written in full.
return {'placed', fact[4], fact[5], tostring(price), tostring(freight), tostring(amount),
  tostring(now)}
