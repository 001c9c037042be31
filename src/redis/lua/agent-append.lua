--[[
  agent-append: puts new orders into their agent's list, and events at the end of its feed, each
  once. It writes even when all of them are there: the caller's WAIT must cover what another
  connection did.

  KEYS[1]  list    zset    order_no by creation time, milliseconds
  KEYS[2]  feed    stream  what happened to the agent's orders
  KEYS[3]  known   zset    names of the events in it, by the time they were put there
  KEYS[4]  followers  set  webhook endpoints that follow the feed

  ARGV[1]  length  entries that a feed has at most
  ARGV[2]  ttl_ms  how long a feed without news is kept
  ARGV[3]  orders  JSON: [[order_no, at], ...]
  ARGV[4]  events  JSON: [[name, field, value, ...], ...]; not empty

  Reply    the followers
]]
local list, feed, known, followers = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local length, ttl_ms = tonumber(ARGV[1]), ARGV[2]
local orders, events = cjson.decode(ARGV[3]), cjson.decode(ARGV[4])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local listed, names, added = {}, {}, {}
for _, order in ipairs(orders) do
  listed[#listed + 1], listed[#listed + 2] = order[2], order[1]
end
if #listed > 0 then redis.call('ZADD', list, unpack(listed)) end
for index, event in ipairs(events) do names[index] = table.remove(event, 1) end
local is_there = {}
for index, score in ipairs(redis.call('ZMSCORE', known, unpack(names))) do
  if score then is_there[names[index]] = true end
end
for index, event in ipairs(events) do
  local name = names[index]
  if not is_there[name] then
    redis.call('XADD', feed, 'MAXLEN', length, '*', unpack(event))
    is_there[name], added[#added + 1], added[#added + 2] = true, now, name
  end
end
-- In this order: what could not be added is not known.
if #added > 0 then redis.call('ZADD', known, unpack(added)) end
-- Twice as many names as entries: one that is set aside may come late.
redis.call('ZREMRANGEBYRANK', known, 0, -1 - 2 * length)
-- These are written whatever was known: that is what the WAIT waits for.
redis.call('PEXPIRE', feed, ttl_ms)
redis.call('PEXPIRE', known, ttl_ms)
return redis.call('SMEMBERS', followers)
