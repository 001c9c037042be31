--[[
  key-rotate: gives an agent a new key; its present ones end when the overlap is over, by this
  clock, or earlier where that was said before.

  KEYS[1]  agent       hash    the agent; `hash:<hash>` is `active`, `revoked` or `until:<ms>`
  KEYS[2]  feed        stream  what happened to the agent

  ARGV[1]  hash        of the new key
  ARGV[2]  overlap_ms  how long the present keys stay good; 0 ends them at once
  ARGV[3]  live_max    keys that may be good at a time
  ARGV[4]  length      entries that a feed has at most
  ARGV[5]  ttl_ms      how long a feed without news is kept

  Reply    {'missing'}, {'full'}, or {'done', when the overlap ends}
]]
local agent, feed = KEYS[1], KEYS[2]
local hash, overlap_ms, live_max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local facts = redis.call('HMGET', agent, 'account', 'state')
if not facts[1] or (facts[2] and facts[2] ~= 'active') then return {'missing'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends_at = now + overlap_ms
local fields = redis.call('HGETALL', agent)
local live, changes, dead = 1, {}, {}
for at = 1, #fields, 2 do
  local field, value = fields[at], fields[at + 1]
  if string.sub(field, 1, 5) == 'hash:' and value == 'revoked' then
    dead[#dead + 1] = field
    dead[#dead + 1] = 'used:' .. string.sub(field, 6)
  elseif string.sub(field, 1, 5) == 'hash:' then
    local old_end = tonumber(string.match(value, '^until:(%d+)$') or ends_at)
    local new_end = math.min(old_end, ends_at)
    if new_end > now then live = live + 1 end
    changes[#changes + 1] = field
    changes[#changes + 1] = new_end > now and string.format('until:%.0f', new_end) or 'revoked'
  end
end
if live > live_max then return {'full'} end
-- A record does not grow for ever: of so many dead keys nobody asks which they were.
if #dead > 100 then redis.call('HDEL', agent, unpack(dead)) end
changes[#changes + 1] = 'hash:' .. hash
changes[#changes + 1] = 'active'
redis.call('HSET', agent, unpack(changes))
redis.call('XADD', feed, 'MAXLEN', ARGV[4], '*', 'event', 'key_rotated', 'at', now,
  'ends_at', string.format('%.0f', ends_at))
redis.call('PEXPIRE', feed, ARGV[5])
return {'done', string.format('%.0f', ends_at)}
