--[[
  order-claim: binds an idempotency key to one request and one order number, or says to which
  it is bound already.

  KEYS[1]  claim        string  "fingerprint order_no"

  ARGV[1]  fingerprint  of this request
  ARGV[2]  order_no     the number that this attempt's order would have
  ARGV[3]  ttl_s        seconds that a claim without an order is kept

  Reply    the claim in force
]]
local claim = KEYS[1]
local fingerprint, order_no, ttl_s = ARGV[1], ARGV[2], ARGV[3]

local bound = redis.call('GET', claim)
if not bound then
  bound = fingerprint .. ' ' .. order_no
  redis.call('SET', claim, bound, 'EX', ttl_s)
  return bound
end
-- Written again as it is: the caller's WAIT must cover a claim that another connection wrote.
redis.call('SET', claim, bound, 'KEEPTTL')
return bound
