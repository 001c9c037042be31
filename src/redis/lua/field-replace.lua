--[[
  field-replace: changes a field of a hash if it still is what the caller read: what others wrote
  meanwhile, or removed, stays so.

  KEYS[1]  hash    hash

  ARGV[1]  field
  ARGV[2]  before  as it was read
  ARGV[3]  after

  Reply    1 when it was changed; 0, and nothing is written, when it is another by now
]]
local hash, field = KEYS[1], ARGV[1]
local before, after = ARGV[2], ARGV[3]

if redis.call('HGET', hash, field) ~= before then return 0 end
redis.call('HSET', hash, field, after)
return 1
