--[[
  goods-put: writes one catalogue line whole. Stock is set for a product that has none yet; later
  it changes by orders and recorded deltas alone.

  KEYS[1]   sku         hash    what an order is computed from
  KEYS[2]   stock       hash    product_id -> units left
  KEYS[3]   supplied    hash    product_id -> units ever supplied
  KEYS[4]   products    set     ids of every product of the partition
  KEYS[5]   outbox      stream  what happened in the partition
  ARGV[1]   product_id
  ARGV[2]   supply
  ARGV[3]   units       stock of the line; empty without one
  ARGV[4]   fields      JSON array of names and values of the sku
  ARGV[5]   source      the line itself, compressed
  ARGV[6]   doorbell    channel that wakes the followers
  ARGV[7]   partition
  Reply     new | known | no_stock
]]
local sku, stock, supplied, products, outbox = unpack(KEYS)
local product_id, supply, units, fields, source, doorbell, partition = unpack(ARGV)

local is_own = supply == 'own'
local has_stock = redis.call('HEXISTS', stock, product_id) == 1
if is_own and not has_stock and units == '' then return 'no_stock' end
local pairs_of_fields = cjson.decode(fields)

local is_new = redis.call('SADD', products, product_id) == 1
redis.call('DEL', sku)
redis.call('HSET', sku, 'source', source, unpack(pairs_of_fields))
if is_own and not has_stock then
  local time = redis.call('TIME')
  redis.call('HSET', stock, product_id, units)
  redis.call('HSET', supplied, product_id, units)
  redis.call('XADD', outbox, '*', 'type', 'stock', 'product_id', product_id, 'stock', units,
    'at', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.pcall('SPUBLISH', doorbell, partition)
end
return is_new and 'new' or 'known'
