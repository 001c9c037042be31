--[[
  window-release: a call that reserved a place and made nothing of it lets go. The place is free
  when no call holds it: another attempt with the same id may have made use of it.

  KEYS[1]  window  hash    id -> how many calls hold its place

  ARGV[1]  id      what the place was for

  Reply    how many calls still hold it
]]
local window = KEYS[1]
local id = ARGV[1]

if redis.call('HEXISTS', window, id) == 0 then return 0 end
local holders = redis.call('HINCRBY', window, id, -1)
if holders <= 0 then
  redis.call('HDEL', window, id)
  return 0
end
return holders
