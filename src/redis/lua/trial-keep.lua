--[[
  trial-keep: has one record of a trial stay for good. It writes also where that was said before:
  a WAIT after it must have something to wait for.

  KEYS[1]  record  hash or string  an account, an agent, a key or a binding code

  ARGV[1]  kept    that a hash says from now on

  Reply    1, or 0 when there is no such record
]]
local record, kept = KEYS[1], ARGV[1]

local kind = redis.call('TYPE', record).ok
if kind == 'none' then return 0 end
redis.call('PERSIST', record)
if kind == 'hash' then redis.call('HSET', record, 'kept', kept)
else redis.call('SET', record, redis.call('GET', record)) end
return 1
