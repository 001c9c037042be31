--[[
  mall-order: keeps a line of a platform's order as it was last reported, lists it for its agent,
  and says that it changed. The same report again, or an older one, does nothing.

  KEYS[1]  line     hash        the line as it was last reported
  KEYS[2]  list     sorted set  line ids of its agent by time of change (ms)
  KEYS[3]  events   stream      changes of lines

  ARGV[1]  id          of the line
  ARGV[2]  agent       empty where nobody is known
  ARGV[3]  updated_ms  when the platform changed it
  ARGV[4]  status      neutral status
  ARGV[5]  data        JSON of the line
  ARGV[6]  events_max  about so many changes are kept
  ARGV[7]  mode        sandbox or live, of the platform that reports it

  Reply    1 when it was new or has changed, else 0
]]
local line, list, events = KEYS[1], KEYS[2], KEYS[3]
local id, agent, updated_ms, status = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local data, events_max, mode = ARGV[5], ARGV[6], ARGV[7]

local known = redis.call('HMGET', line, 'updated_ms', 'data', 'mode')
-- Older versions kept none: all their money was the sandbox's.
if known[1] then
  mode = known[3] or 'sandbox'
  local known_ms = tonumber(known[1])
  if known_ms > updated_ms or (known_ms == updated_ms and known[2] == data) then
    return 0
  end
end
redis.call('HSET', line, 'agent', agent, 'updated_ms', ARGV[3], 'status', status, 'data', data,
  'mode', mode)
redis.call('ZADD', list, updated_ms, id)
redis.call('XADD', events, 'MAXLEN', '~', events_max, '*',
  'line', id, 'agent', agent, 'status', status, 'data', data)
return 1
