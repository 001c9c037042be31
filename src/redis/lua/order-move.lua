--[[
  order-move: makes one move of the state table, if the present status allows it. A move that
  was made before is reported as done and changes nothing but a counter.

  KEYS[1]   order      hash    the order
  KEYS[2]   events     list    its timeline
  KEYS[3]   stock      hash    product_id -> units left
  KEYS[4]   unpaid     zset    order_no by the end of its payment window
  KEYS[5]   due        zset    order_no by the time of its next move
  KEYS[6]   outbox     stream  what happened in the partition
  ARGV[1]   order_no
  ARGV[2]   move       names the move, and tells repeated moves of one order apart
  ARGV[3]   from       statuses that allow it, with spaces between and around
  ARGV[4]   to         next status; empty keeps it
  ARGV[5]   event      name in the timeline; empty adds none
  ARGV[6]   window     open | over: what the payment window must be; empty for either
  ARGV[7]   returns    1 gives the held units back to the stock
  ARGV[8]   due_ms     time until the next move; empty plans none
  ARGV[9]   detail     JSON object for the timeline, also kept as fields; empty without one
  ARGV[10]  doorbell   channel that wakes the followers
  ARGV[11]  partition
  Reply     {moved | done, status, at}, {state | expired | early, status}, {missing}
]]
local order, events, stock, unpaid, due, outbox = unpack(KEYS)
local order_no, move, from, to, event, window, returns, due_ms, detail, doorbell, partition =
  unpack(ARGV)
local mark = 'did:' .. move
local status, expires_at, product_id, agent, held, done_at =
  unpack(redis.call('HMGET', order, 'status', 'expires_at', 'product_id', 'agent', 'held', mark))
if not status then return {'missing'} end
if done_at then
  redis.call('HINCRBY', order, 'replays', 1) -- A WAIT after it must have something to wait for.
  return {'done', status, done_at}
end
if not string.find(from, ' ' .. status .. ' ', 1, true) then return {'state', status} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if window == 'open' and now >= tonumber(expires_at) then return {'expired', status} end
if window == 'over' and now < tonumber(expires_at) then return {'early', status} end
local facts = detail ~= '' and cjson.decode(detail) or {}

local entry = {'type', event, 'at', now, 'product_id', product_id, 'order_no', order_no}
if returns == '1' and tonumber(held) > 0 then
  entry[9], entry[10] = 'stock', redis.call('HINCRBY', stock, product_id, held)
  redis.call('HSET', order, 'held', 0)
end
if to ~= '' then status = to end
redis.call('HSET', order, 'status', status, mark, now)
for name, value in pairs(facts) do redis.call('HSET', order, name, value) end
redis.call('ZREM', unpaid, order_no)
if to ~= '' then redis.call('ZREM', due, order_no) end
if due_ms ~= '' then redis.call('ZADD', due, now + due_ms, order_no) end
if event ~= '' then
  if detail ~= '' then detail = ',"detail":' .. detail end
  redis.call('RPUSH', events, string.format('{"event":"%s","at":%d%s}', event, now, detail))
  redis.call('XADD', outbox, '*', 'agent', agent, unpack(entry))
  redis.call('PUBLISH', doorbell, partition)
end
return {'moved', status, tostring(now)}
