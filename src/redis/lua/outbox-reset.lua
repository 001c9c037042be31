--[[
  outbox-reset: sets consumers' places that are beyond the end of the outbox to its end.

  KEYS[1]  outbox    stream  what happened in the partition
  KEYS[2]  progress  hash    consumer -> last outbox id whose effects are durable

  Reply    how many were set back
]]
local outbox, progress = KEYS[1], KEYS[2]

local function parts(text)
  local ms, sequence = string.match(text, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end
local newest = redis.call('XREVRANGE', outbox, '+', '-', 'COUNT', 1)[1]
local last = newest and newest[1] or '0-0'
local last_ms, last_sequence = parts(last)
local places = redis.call('HGETALL', progress)
local moved = 0
for at = 1, #places, 2 do
  local ms, sequence = parts(places[at + 1])
  if ms > last_ms or (ms == last_ms and sequence > last_sequence) then
    redis.call('HSET', progress, places[at], last)
    moved = moved + 1
  end
end
return moved
