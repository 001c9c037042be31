--[[
  login-change: replaces an account's password if it is still the one that was proved, and ends
  all its sessions; or only ends them.

  KEYS[1]  login   hash  how the account signs in

  ARGV[1]  proved  hash of the password that was proved; empty changes none
  ARGV[2]  next    hash of the new one

  Reply    the new epoch of its sessions, or 0 when it has changed meanwhile or is gone
]]
local login = KEYS[1]
local proved, next_password = ARGV[1], ARGV[2]

local password = redis.call('HGET', login, 'password')
if not password then return 0 end
if proved ~= '' then
  if password ~= proved then return 0 end
  redis.call('HSET', login, 'password', next_password)
end
return redis.call('HINCRBY', login, 'epoch', 1)
