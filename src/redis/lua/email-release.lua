--[[
  email-release: an account lets go of its address.

  KEYS[1]  email    string  the account that it belongs to

  ARGV[1]  account

  Reply    1 when it was its own
]]
local email = KEYS[1]
local account = ARGV[1]

if redis.call('GET', email) ~= account then return 0 end
return redis.call('DEL', email)
