--[[
  key-revoke: ends one key of an agent, or all of them, at once.

  KEYS[1]  agent  hash  the agent; `hash:<hash>` is `active`, `revoked` or `until:<ms>`

  ARGV[1]  hash   of the key; empty ends all
  ARGV[2]  state  that the agent takes on; empty leaves it

  Reply    hashes of the keys that were alive
]]
local agent = KEYS[1]
local hash, state = ARGV[1], ARGV[2]

-- An agent that is deleted before its record is there must not come to life by it.
if state == '' and redis.call('EXISTS', agent) == 0 then return {} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', agent)
local ended = {}
for at = 1, #fields, 2 do
  local field, value = fields[at], fields[at + 1]
  local known = string.match(field, '^hash:(.+)$')
  if known and (hash == '' or hash == known) and value ~= 'revoked' then
    local ends_at = tonumber(string.match(value, '^until:(%d+)$') or now + 1)
    if ends_at > now then ended[#ended + 1] = known end
    redis.call('HSET', agent, field, 'revoked')
  end
end
if state ~= '' then redis.call('HSET', agent, 'state', state) end
redis.call('HSET', agent, 'changed_at', now) -- A WAIT after it must have something to wait for.
return ended
