#!lua flags=allow-oom
--[[
  order-archive: leaves of an ended order what the ledger needs of it, once its record is in the
  archive, if everything is still as it was written there.

  KEYS[1]  order      hash    the order
  KEYS[2]  events     list    its timeline
  KEYS[3]  after      hash    its after-sales
  KEYS[4]  by_status  zset    order_no of paid orders by rank of the status and creation
  KEYS[5]  refunds    zset    order_no by the time of the next attempt to give money back
  KEYS[6]  outbox     stream  what happened in the partition

  ARGV[1]  order_no
  ARGV[2]  was        JSON: order and after as the names and values of their fields in turn, events
                      as the number of its lines
  ARGV[3]  kept       JSON: names and values in turn of the fields that stay

  Reply    1 when it did; 0 when it has changed, or left before
]]
local order, events, after, by_status, refunds, outbox = unpack(KEYS)
local order_no, was, kept = ARGV[1], cjson.decode(ARGV[2]), cjson.decode(ARGV[3])

local function is_as(found, fields)
  local values = {}
  for at = 1, #found, 2 do values[found[at]] = found[at + 1] end
  for at = 1, #fields, 2 do
    if values[fields[at]] ~= fields[at + 1] then return false end
  end
  return #found == #fields
end
local is_same = is_as(redis.call('HGETALL', order), was.order)
  and is_as(redis.call('HGETALL', after), was.after)
  and redis.call('LLEN', events) == was.events and not redis.call('ZSCORE', refunds, order_no)
if not is_same then return 0 end
local time, stays, gone = redis.call('TIME'), {}, {}
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local product_id = redis.call('HGET', order, 'product_id')
for at = 1, #kept, 2 do stays[kept[at]] = true end
for at = 1, #was.order, 2 do
  if not stays[was.order[at]] then gone[#gone + 1] = was.order[at] end
end
-- In place: a removal may take a key away, and while its slot moves it is then out of reach.
redis.call('HSET', order, unpack(kept))
redis.call('HDEL', order, unpack(gone))
redis.call('DEL', events)
redis.call('DEL', after)
redis.call('ZREM', by_status, order_no)
redis.call('XADD', outbox, '*', 'type', 'archived', 'at', now, 'product_id', product_id,
  'order_no', order_no)
return 1
