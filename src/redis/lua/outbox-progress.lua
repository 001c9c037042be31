--[[
  outbox-progress: moves a consumer's place in an outbox forward, never back.

  KEYS[1]  progress  hash    consumer -> last outbox id whose effects are durable

  ARGV[1]  consumer
  ARGV[2]  id        of the last entry that is done

  Reply    1 when it moved, 0 when it was there or further already
]]
local progress = KEYS[1]
local consumer, id = ARGV[1], ARGV[2]

local function parts(text)
  local ms, sequence = string.match(text, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end
local known = redis.call('HGET', progress, consumer)
if known then
  local known_ms, known_sequence = parts(known)
  local ms, sequence = parts(id)
  if ms < known_ms or (ms == known_ms and sequence <= known_sequence) then return 0 end
end
redis.call('HSET', progress, consumer, id)
return 1
