--[[
  login-verify: notes that an account's owner reads the mail of its address.

  KEYS[1]  login       hash  how the account signs in

  ARGV[1]  email_hash  of the address that was proved

  Reply    1, or 0 when the account has another address or is gone
]]
local login = KEYS[1]
local email_hash = ARGV[1]

local own, verified_at = unpack(redis.call('HMGET', login, 'email_hash', 'verified_at'))
if own ~= email_hash then return 0 end
local time = redis.call('TIME')
-- Written again as it is: a WAIT after it must have something to wait for.
redis.call('HSET', login, 'verified_at',
  verified_at or time[1] * 1000 + math.floor(time[2] / 1000))
return 1
