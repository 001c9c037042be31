#!lua flags=allow-oom
--[[
  order-recall: has an order that was archived on the ledger again, as it was.

  KEYS[1]  order      hash    what is kept of the order
  KEYS[2]  events     list    its timeline
  KEYS[3]  after      hash    its after-sales
  KEYS[4]  by_status  zset    order_no of paid orders by rank of the status and creation
  KEYS[5]  outbox     stream  what happened in the partition

  ARGV[1]  order_no
  ARGV[2]  place      where in the archive it was read
  ARGV[3]  was        JSON: order and after as the names and values of their fields in turn, events
                      as the lines of its timeline
  ARGV[4]  score      of its status in by_status, with the time of its creation

  Reply    1 when it did; 0 when it is not archived at that place
]]
local order, events, after, by_status, outbox = unpack(KEYS)
local order_no, place, was, score = ARGV[1], ARGV[2], cjson.decode(ARGV[3]), ARGV[4]

if redis.call('HGET', order, 'archived') ~= place then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local product_id, replays = unpack(redis.call('HMGET', order, 'product_id', 'replays'))
redis.call('HSET', order, unpack(was.order))
if replays then redis.call('HSET', order, 'replays', replays) end
redis.call('HDEL', order, 'archived', 'ended', 'paid_at', 'completed_at')
for _, line in ipairs(was.events) do redis.call('RPUSH', events, line) end
if #was.after > 0 then redis.call('HSET', after, unpack(was.after)) end
redis.call('ZADD', by_status, score, order_no)
redis.call('XADD', outbox, '*', 'type', 'recalled', 'at', now, 'product_id', product_id,
  'order_no', order_no)
return 1
