--[[
  lease-keep: renews a lease, or gives it back, if the caller still holds it.

  KEYS[1]  lease   string  who holds it

  ARGV[1]  holder
  ARGV[2]  ttl_ms  0 gives it back

  Reply    1 when the caller held it, else 0
]]
local lease = KEYS[1]
local holder, ttl_ms = ARGV[1], tonumber(ARGV[2])

if redis.call('GET', lease) ~= holder then return 0 end
if ttl_ms == 0 then return redis.call('DEL', lease) end
return redis.call('PEXPIRE', lease, ttl_ms)
