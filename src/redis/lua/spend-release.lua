--[[
  spend-release: a call that reserved an order's amount and placed no order lets go. The amount is
  free when no call holds it: another call of the same attempt may have placed the order.

  KEYS[1]  own       hash  order_no -> fen, `<order_no>:calls` -> calls that hold it, and `sum`
  KEYS[2]  user      hash  the same for one user

  ARGV[1]  order_no
  ARGV[2]  own_held   1 where the call holds it
  ARGV[3]  user_held

  Reply    how many places are free now
]]
local own, user = KEYS[1], KEYS[2]
local order_no, own_held, user_held = ARGV[1], ARGV[2], ARGV[3]

local calls, free = order_no .. ':calls', 0
local own_fen = own_held == '1' and redis.call('HGET', own, order_no)
if own_fen and redis.call('HINCRBY', own, calls, -1) <= 0 then
  redis.call('HDEL', own, order_no, calls)
  redis.call('HINCRBY', own, 'sum', -own_fen)
  free = free + 1
end
local user_fen = user_held == '1' and redis.call('HGET', user, order_no)
if user_fen and redis.call('HINCRBY', user, calls, -1) <= 0 then
  redis.call('HDEL', user, order_no, calls)
  redis.call('HINCRBY', user, 'sum', -user_fen)
  free = free + 1
end
return free
