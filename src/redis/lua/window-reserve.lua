--[[
  window-reserve: takes one of the places of a window for an id, once. The window opens with its
  first place and closes as a whole.

  KEYS[1]  window     hash    id -> how many calls hold its place

  ARGV[1]  id         what the place is for
  ARGV[2]  limit      places of a window
  ARGV[3]  window_ms  how long it stays open

  Reply    {1 | 0 when it is full, places left, when it closes, milliseconds}
]]
local window = KEYS[1]
local id, limit, window_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local is_held = redis.call('HEXISTS', window, id) == 1
local used = redis.call('HLEN', window)
if not is_held and used >= limit then
  return {0, 0, redis.call('PEXPIRETIME', window)}
end
redis.call('HINCRBY', window, id, 1)
if used == 0 then redis.call('PEXPIRE', window, window_ms) end
if not is_held then used = used + 1 end
return {1, limit - used, redis.call('PEXPIRETIME', window)}
