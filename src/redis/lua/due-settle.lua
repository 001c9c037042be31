--[[
  due-settle: takes an order off a list of due times, or puts it off, if its time is still the one
  that was read: another worker may have planned anew.

  KEYS[1]  due       zset  order_no by time, milliseconds

  ARGV[1]  order_no
  ARGV[2]  read      the time that was read
  ARGV[3]  later_ms  how much later it is due; empty takes it off

  Reply    1 when it did
]]
local due = KEYS[1]
local order_no, read, later_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local score = redis.call('ZSCORE', due, order_no)
if not score or tonumber(score) ~= read then return 0 end
if later_ms == '' then
  redis.call('ZREM', due, order_no)
else
  local time = redis.call('TIME')
  local at = time[1] * 1000 + math.floor(time[2] / 1000) + later_ms
  redis.call('ZADD', due, at, order_no)
end
return 1
