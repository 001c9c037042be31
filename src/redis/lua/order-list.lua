--[[
  order-list: puts an order into its agent's list. It writes even when it is there already: the
  caller's WAIT must cover what another connection did.

  KEYS[1]  list      zset  order_no by creation time

  ARGV[1]  order_no
  ARGV[2]  at        when it was created, milliseconds

  Reply    1
]]
local list = KEYS[1]
local order_no, at = ARGV[1], tonumber(ARGV[2])

-- The same score again would be no write, and a removal may take the key away in between.
redis.call('ZADD', list, at + 1, order_no)
redis.call('ZADD', list, at, order_no)
return 1
