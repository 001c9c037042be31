#!lua flags=allow-oom
--[[
  order-move: makes one row of the state table, if order and after-sale allow it. A move that was
  made before is reported as done and changes nothing but a counter. A full memory does not stop
  it: what can be paid can be cancelled, and an order that ends gives its units back.

  KEYS[1]  order      hash    the order
  KEYS[2]  events     list    its timeline
  KEYS[3]  stock      hash    product_id -> units left
  KEYS[4]  unpaid     zset    order_no by the end of its payment window
  KEYS[5]  due        zset    order_no by the time of its next move
  KEYS[6]  outbox     stream  what happened in the partition
  KEYS[7]  after      hash    the order's after-sale records
  KEYS[8]  after_due  zset    order_no by the time of its after-sale's next move
  KEYS[9]  trial_held hash    product_id -> units in unpaid orders of trial keys
  KEYS[10] fading     zset    "order_no agent" of orders never paid, by the time they are dropped
  KEYS[11] refunds    zset    order_no by the time of the next attempt to give money back
  KEYS[12] by_status  zset    order_no of paid orders by rank of the status and creation
  ARGV[1]  order_no
  ARGV[2]  mark       names the move, and tells repeated moves of one order apart
  ARGV[3]  row        JSON of the table's row; `score` of what was paid: in by_status at time 0;
                      `facts` that its first event has
  ARGV[4]  wish       JSON, all optional: due_ms, detail and its fields; of the after-sale its id,
                      type and whether it is new, its fields and times, and after_due_ms
  ARGV[5]  doorbell   channel that wakes the followers
  ARGV[6]  partition
  ARGV[7]  fade_ms    how long an order that was never paid is kept once it is closed
  Reply    {moved | done, status, at}, {state | expired | early | aftersale, status}, {missing}
]]
local order, events, stock, unpaid, due, outbox, after, after_due, trial_held, fading, refunds,
  by_status = unpack(KEYS)
local order_no, mark, doorbell, partition = ARGV[1], 'did:' .. ARGV[2], ARGV[5], ARGV[6]
local row, wish = cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local status, expires_at, product_id, agent, held, after_id, after_status, after_type, by_trial,
  created_at, done_at = unpack(redis.call('HMGET', order, 'status', 'expires_at', 'product_id',
    'agent', 'held', 'after_id', 'after_status', 'after_type', 'trial_held', 'created_at', mark))
if not status then return {'missing'} end
if done_at then
  redis.call('HINCRBY', order, 'replays', 1) -- A WAIT after it must have something to wait for.
  return {'done', status, done_at}
end
if not row.from[status] then return {'state', status} end
local time, extra = redis.call('TIME'), row.facts or {}
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if row.window == 'open' and now >= tonumber(expires_at) then return {'expired', status} end
if row.window == 'over' and now < tonumber(expires_at) then return {'early', status} end
local is_barred = row.after_from and not row.after_from[after_status or 'none']
local type = wish.after_is_new and wish.after_type or after_type
local is_same = wish.after_is_new or wish.after_id == after_id
local is_other = row.after_type and row.after_type ~= type or row.after_to and not is_same
if is_barred or is_other then return {'aftersale', status} end

local function tell(kind)
  redis.call('XADD', outbox, '*', 'type', kind, 'at', now, 'product_id', product_id,
    'order_no', order_no, 'agent', agent, unpack(extra))
  extra = {}
end
if row.returns and tonumber(held) > 0 then
  extra[#extra + 1], extra[#extra + 2] = 'stock', redis.call('HINCRBY', stock, product_id, held)
  redis.call('HSET', order, 'held', 0)
end
if row.to then
  local is_last = by_trial and redis.call('HINCRBY', trial_held, product_id, -by_trial) <= 0
  if is_last then redis.call('HDEL', trial_held, product_id) end
  if by_trial then redis.call('HDEL', order, 'trial_held') end
  if status == 'pending_payment' and row.to == 'closed' then
    local fades_at, given = now + ARGV[7], cjson.decode(redis.call('HGET', order, 'given'))
    local name, more = order_no .. ' ' .. agent, {'attempt', given.attempt, 'fades_at', fades_at}
    redis.call('PEXPIREAT', order, fades_at)
    redis.call('PEXPIREAT', events, fades_at)
    redis.call('ZADD', fading, fades_at, name)
    for _, fact in ipairs(more) do table.insert(extra, fact) end
  end
  status = row.to
  if row.score then redis.call('ZADD', by_status, row.score + created_at, order_no) end
  redis.call('ZREM', unpaid, order_no)
  -- Never both: a removal may take the key away, and while its slot moves it is then out of reach.
  if wish.due_ms then redis.call('ZADD', due, now + wish.due_ms, order_no)
  else redis.call('ZREM', due, order_no) end
end
redis.call('HSET', order, 'status', status, mark, now)
if wish.fields then redis.call('HSET', order, unpack(wish.fields)) end
for index, event in ipairs(row.events) do
  local detail = index == 1 and wish.detail and ',"detail":' .. cjson.encode(wish.detail) or ''
  redis.call('RPUSH', events, string.format('{"event":"%s","at":%d%s}', event, now, detail))
  tell(event)
end
if row.after_to then
  redis.call('HSET', after, unpack(wish.after_fields))
  for _, moment in ipairs(wish.after_times) do redis.call('HSET', after, moment, now) end
  redis.call('HSET', order, 'after_id', wish.after_id, 'after_type', type,
    'after_status', row.after_to)
  if wish.after_due_ms then redis.call('ZADD', after_due, now + wish.after_due_ms, order_no)
  else redis.call('ZREM', after_due, order_no) end
  extra = {'status', row.after_to, 'aftersale', wish.after_id}
  tell('aftersale')
end
if #row.events == 0 and not row.after_to then tell(status) end
if row.refunds then redis.call('ZADD', refunds, now, order_no) end
redis.pcall('SPUBLISH', doorbell, partition)
return {'moved', status, tostring(now)}
