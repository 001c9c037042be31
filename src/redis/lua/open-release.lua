--[[
  open-release: takes an order out of those of one caller that wait for payment: its waiting is
  over, or no call that wanted to place it is left.

  KEYS[1]  open      zset  order_no by the end of its payment window
  KEYS[2]  tally     hash  see open-reserve

  ARGV[1]  order_no
  ARGV[2]  call      1 where one call lets go; empty where the waiting is over
  ARGV[3]  untried   1 where it was no new attempt: the day's count goes back

  Reply    1 when it was taken out
]]
local open, tally = KEYS[1], KEYS[2]
local order_no, call, untried = ARGV[1], ARGV[2], ARGV[3]

local calls, kept = order_no .. ':calls', redis.call('HGET', tally, order_no)
if not kept then return 0 end
if call == '1' and redis.call('HINCRBY', tally, calls, -1) > 0 then return 0 end
redis.call('ZREM', open, order_no)
redis.call('HDEL', tally, order_no, calls)
redis.call('HINCRBY', tally, 'units', -string.match(kept, '^%d+'))
if untried == '1' then redis.call('HINCRBY', tally, 'tried', -1) end
return 1
