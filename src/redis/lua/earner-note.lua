--[[
  earner-note: notes that an account has a commission that waits for its month's settlement.

  KEYS[1]  months   set   months whose earners are not done with
  KEYS[2]  earners  hash  account of that month -> how often it was noted

  ARGV[1]  month    "2026-11"
  ARGV[2]  account

  Reply    how often it was noted
]]
local months, earners = KEYS[1], KEYS[2]
local month, account = ARGV[1], ARGV[2]

redis.call('SADD', months, month)
-- A count and no set: a WAIT after it must have something to wait for.
return redis.call('HINCRBY', earners, account, 1)
