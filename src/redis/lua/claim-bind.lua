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

local wanted = fingerprint .. ' ' .. id
local bound = redis.call('SET', claim, wanted, 'EX', ttl_s, 'NX', 'GET')
if not bound then return wanted end
-- Written again: the caller's WAIT must cover a claim that another connection wrote. What is done
-- by it now must find it still there when it is to be kept.
local left_s = redis.call('TTL', claim)
if left_s >= 0 and left_s < 3600 then
  redis.call('SET', claim, bound, 'EX', 3600)
else
  redis.call('SET', claim, bound, 'KEEPTTL')
end
return bound
