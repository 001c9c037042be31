--[[
  trial-expire: gives a record of a trial that older code made without an end its end.

  KEYS[1]  record   hash or string  an account, an agent, a key or a binding code

  ARGV[1]  ttl_ms   from now on, where it has none
  ARGV[2]  binding  hash of the code that leads to an account; empty for other records

  Reply    1 when it ends, -1 when it is kept for good or merged, 0 when there is no such record
]]
local record = KEYS[1]
local ttl_ms, binding = ARGV[1], ARGV[2]

local kind = redis.call('TYPE', record).ok
if kind == 'none' then return 0 end
if kind == 'hash' then
  local kept, merged = unpack(redis.call('HMGET', record, 'kept', 'merged_into'))
  if kept or merged then return -1 end
  if binding ~= '' then redis.call('HSET', record, 'binding', binding) end
end
if redis.call('PTTL', record) == -1 then redis.call('PEXPIRE', record, ttl_ms) end
return 1
