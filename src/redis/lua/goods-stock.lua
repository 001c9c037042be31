--[[
  goods-stock: records a change of supplied stock, once; the stock never falls below zero.

  KEYS[1]   stock       hash    product_id -> units left
  KEYS[2]   supplied    hash    product_id -> units ever supplied
  KEYS[3]   deltas      hash    delta_id -> product and change, of deltas that were recorded
  KEYS[4]   outbox      stream  what happened in the partition
  ARGV[1]   product_id
  ARGV[2]   change      units, may be negative
  ARGV[3]   delta_id    empty: not guarded against being repeated
  ARGV[4]   doorbell    channel that wakes the followers
  ARGV[5]   partition
  Reply     {recorded | repeated | below_zero, units left}, {unknown}, {other_delta}
]]
local stock, supplied, deltas, outbox = unpack(KEYS)
local product_id, change, delta_id, doorbell, partition = unpack(ARGV)

local left = tonumber(redis.call('HGET', stock, product_id))
if not left then return {'unknown'} end
local what = product_id .. ' ' .. change
if delta_id ~= '' then
  local recorded = redis.call('HGET', deltas, delta_id)
  if recorded == what then return {'repeated', left} end
  if recorded then return {'other_delta'} end
end
if left + tonumber(change) < 0 then return {'below_zero', left} end

local time = redis.call('TIME')
left = redis.call('HINCRBY', stock, product_id, change)
redis.call('HINCRBY', supplied, product_id, change)
if delta_id ~= '' then redis.call('HSET', deltas, delta_id, what) end
redis.call('XADD', outbox, '*', 'type', 'stock', 'product_id', product_id, 'stock', left,
  'at', time[1] * 1000 + math.floor(time[2] / 1000))
redis.pcall('SPUBLISH', doorbell, partition)
return {'recorded', left}
