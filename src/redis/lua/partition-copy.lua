--[[
  partition-copy: reads at one moment what a partition's orders share and the orders that moved.

  KEYS[1]  outbox     stream  what happened in the partition

  ARGV[1]  place      outbox id: orders with events after it have moved
  ARGV[2]  shared     JSON array of keys of the partition
  ARGV[3]  of_order   JSON array of keys of an order, with %s for its number

  Reply    {last outbox id or '', key, DUMP or nil, PEXPIRETIME, key, …}
]]
local outbox = KEYS[1]
local place, shared, of_order = ARGV[1], ARGV[2], ARGV[3]

local reply = {''}
local function copy(key)
  reply[#reply + 1] = key
  reply[#reply + 1] = redis.call('DUMP', key)
  reply[#reply + 1] = redis.call('PEXPIRETIME', key)
end
for _, key in ipairs(cjson.decode(shared)) do copy(key) end
local templates = cjson.decode(of_order)
local seen = {}
local after = '(' .. place
for _, entry in ipairs(redis.call('XRANGE', outbox, after, '+')) do
  local fields = entry[2]
  for at = 1, #fields, 2 do
    if fields[at] == 'order_no' and not seen[fields[at + 1]] then
      seen[fields[at + 1]] = true
      for _, template in ipairs(templates) do
        local key = string.gsub(template, '%%s', fields[at + 1])
        copy(key)
      end
    end
  end
end
local newest = redis.call('XREVRANGE', outbox, '+', '-', 'COUNT', 1)[1]
if newest then reply[1] = newest[1] end
return reply
