--[[
  hash-keys-keep: keeps the keys of keyed hashes under more secrets. The first to make them wins:
  two nodes that start on an empty ledger must not have two sets.

  KEYS[1]  hash_keys  hash  id of a secret → the keys, sealed under it

  ARGV[1]  envelopes  JSON object: id of a secret → the keys, sealed under it
  ARGV[2]  is_new     1 when the caller has just made the keys: kept only where there are none

  Reply    1 when they were kept; 0, and nothing is written, when there are others
]]
local hash_keys = KEYS[1]
local envelopes, is_new = cjson.decode(ARGV[1]), ARGV[2] == '1'

if is_new and redis.call('EXISTS', hash_keys) == 1 then return 0 end
for id, envelope in pairs(envelopes) do
  redis.call('HSET', hash_keys, id, envelope)
end
return 1
