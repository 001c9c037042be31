--[[
  account-settle: keeps a new account for good, or drops it because its address is another's.

  KEYS[1]  account  hash  the account
  KEYS[2]  login    hash  how it signs in

  ARGV[1]  is_kept  1 keeps it, 0 drops it

  Reply    1, or 0 when it was gone already
]]
local account, login = KEYS[1], KEYS[2]
local is_kept = ARGV[1]

if redis.call('EXISTS', account) == 0 or redis.call('EXISTS', login) == 0 then return 0 end
if is_kept == '0' then
  redis.call('DEL', account, login)
  return 1
end
redis.call('PERSIST', account)
redis.call('PERSIST', login)
-- PERSIST of what is kept already writes nothing for a WAIT to wait for.
redis.call('HSET', account, 'kind', 'account')
return 1
