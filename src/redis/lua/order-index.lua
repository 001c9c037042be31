--[[
  order-index: puts an order where it belongs in the index by status, or takes it out: one that is
  not paid yet is in `unpaid`, one that was never paid ends by itself.

  KEYS[1]  order      hash  the order; there may be none
  KEYS[2]  by_status  zset  order_no of paid orders by rank of the status and creation

  ARGV[1]  order_no
  ARGV[2]  scores     JSON: status -> its score in by_status at time 0

  Reply    1 when it was not there, or elsewhere
]]
local order, by_status = KEYS[1], KEYS[2]
local order_no, scores = ARGV[1], cjson.decode(ARGV[2])

local status, created_at = unpack(redis.call('HMGET', order, 'status', 'created_at'))
local is_unpaid = status == 'closed' and redis.call('PTTL', order) >= 0
local score = scores[status or '']
if not score or not created_at or is_unpaid then return redis.call('ZREM', by_status, order_no) end
return redis.call('ZADD', by_status, 'CH', score + created_at, order_no)
