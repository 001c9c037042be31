--[[
  claim-bind: binds an idempotency key to one request and the id of its result, or says to which
  it is bound already.

  KEYS[1]  claim        string  "fingerprint id"

  ARGV[1]  fingerprint  of this request
  ARGV[2]  id           what the result of this attempt has
  ARGV[3]  ttl_s        seconds that a claim without a result is kept

  Reply    the claim in force
]]
local claim = KEYS[1]
local fingerprint, id, ttl_s = ARGV[1], ARGV[2], ARGV[3]

local bound = redis.call('GET', claim)
if not bound then
  bound = fingerprint .. ' ' .. id
  redis.call('SET', claim, bound, 'EX', ttl_s)
  return bound
end
-- Written again as it is: the caller's WAIT must cover a claim that another connection wrote.
redis.call('SET', claim, bound, 'KEEPTTL')
return bound
