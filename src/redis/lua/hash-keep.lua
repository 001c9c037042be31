--[[
  hash-keep: sets fields of a hash and for how long it is kept. Both or neither: a mark in a
  platform's orders or a trial's record without an end would stay for ever, and without its fields
  means nobody.

  KEYS[1]  hash    hash   what is kept

  ARGV[1]  fields  JSON object of texts
  ARGV[2]  ttl_s   from now on

  Reply    "OK"
]]
local hash = KEYS[1]
local fields, ttl_s = cjson.decode(ARGV[1]), tonumber(ARGV[2])

for field, value in pairs(fields) do
  redis.call('HSET', hash, field, value)
end
redis.call('EXPIRE', hash, ttl_s)
return 'OK'
