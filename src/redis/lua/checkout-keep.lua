--[[
  checkout-keep: writes a checkout, if nobody has written it since it was read. Of two writers that
  read the same revision one is told so, and reads again.

  KEYS[1]  checkout  hash  revision, state

  ARGV[1]  revision  that was read; 0 where there was none
  ARGV[2]  state     JSON
  ARGV[3]  ttl_s     from now on

  Reply    1 when it was written, else 0
]]
local checkout = KEYS[1]
local revision, state, ttl_s = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local present = tonumber(redis.call('HGET', checkout, 'revision') or 0)
if present ~= revision then return 0 end
redis.call('HSET', checkout, 'revision', revision + 1, 'state', state)
redis.call('EXPIRE', checkout, ttl_s)
return 1
