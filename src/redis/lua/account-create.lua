--[[
  account-create: writes a new account for a while: its address may turn out to be another's.

  KEYS[1]  account     hash  the account
  KEYS[2]  login       hash  how it signs in

  ARGV[1]  email       sealed
  ARGV[2]  email_hash
  ARGV[3]  password    its hash
  ARGV[4]  at          when, ISO 8601
  ARGV[5]  ttl_ms      how long it is kept when nothing comes after

  Reply    1, or 0 when there is one of that name
]]
local account, login = KEYS[1], KEYS[2]
local email, email_hash, password, at, ttl_ms = unpack(ARGV)

if redis.call('EXISTS', account) == 1 then return 0 end
redis.call('HSET', account, 'kind', 'account', 'state', 'active', 'created_at', at)
redis.call('HSET', login, 'email', email, 'email_hash', email_hash, 'password', password,
  'epoch', 1)
redis.call('PEXPIRE', account, ttl_ms)
redis.call('PEXPIRE', login, ttl_ms)
return 1
