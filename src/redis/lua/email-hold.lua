--[[
  email-hold: an address belongs to one account. Takes it for a while, or for good.

  KEYS[1]  email    string  the account that it belongs to

  ARGV[1]  account
  ARGV[2]  ttl_ms   how long an unfinished registration holds it; empty keeps it for good
  ARGV[3]  instead  of this account, which is no more; empty takes none away

  Reply    the account that it belongs to now
]]
local email = KEYS[1]
local account, ttl_ms, instead = ARGV[1], ARGV[2], ARGV[3]

local holder = redis.call('GET', email)
if holder and holder ~= account and holder ~= instead then
  -- Written again as it is: a WAIT after it must have something to wait for.
  redis.call('SET', email, holder, 'KEEPTTL')
  return holder
end
if ttl_ms == '' then
  redis.call('SET', email, account)
elseif holder == account then
  redis.call('SET', email, account, 'KEEPTTL')
else
  redis.call('SET', email, account, 'PX', ttl_ms)
end
return account
