--[[
  feed-append: puts events at the end of an agent's feed, each once.

  KEYS[1]  feed    stream  what happened to the agent's orders
  KEYS[2]  known   zset    names of the events in it, by the time they were put there

  ARGV[1]  length  entries that a feed has at most
  ARGV[2]  ttl_ms  how long a feed without news is kept
  ARGV[3]  events  JSON: [[name, field, value, ...], ...]

  Reply    how many were new
]]
local feed, known = KEYS[1], KEYS[2]
local length, ttl_ms, events = tonumber(ARGV[1]), ARGV[2], cjson.decode(ARGV[3])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local added = 0
for _, event in ipairs(events) do
  local name = table.remove(event, 1)
  if not redis.call('ZSCORE', known, name) then
    -- In this order: what could not be added is not known.
    redis.call('XADD', feed, 'MAXLEN', length, '*', unpack(event))
    redis.call('ZADD', known, now, name)
    added = added + 1
  end
end
-- Twice as many names as entries: one that is set aside may come late.
redis.call('ZREMRANGEBYRANK', known, 0, -1 - 2 * length)
redis.call('PEXPIRE', feed, ttl_ms)
redis.call('PEXPIRE', known, ttl_ms)
return added
