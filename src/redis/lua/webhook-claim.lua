--[[
  webhook-claim: gives out the first deliveries of subjects whose time has come, and keeps each
  subject from everybody else until the claim ends: so a subject's deliveries stay in order.

  KEYS[1]  webhook  hash  the endpoint
  KEYS[2]  queue    hash  subject -> JSON list of deliveries that wait
  KEYS[3]  due      zset  those subjects by the time of their next attempt

  ARGV[1]  count      subjects at most
  ARGV[2]  claim_ms   how long a claim lasts
  ARGV[3]  fails_max  failures in a row after which one subject is tried at a time

  Reply    {ms until the next is due, or -1; failures in a row; then subject and JSON in turn}
]]
local webhook, queue, due = KEYS[1], KEYS[2], KEYS[3]
local count, claim_ms, fails_max = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local state, fails, paused =
  unpack(redis.call('HMGET', webhook, 'state', 'fails', 'paused_until'))
fails = tonumber(fails or 0)
if state ~= 'active' and state ~= 'unproven' then return {-1, fails} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A clock that was set back must not pause it for longer than ever.
local pause = math.min(tonumber(paused or 0) - now, 60000)
if pause > 0 and state == 'active' then return {pause, fails} end
if fails >= fails_max then count = math.min(count, 1) end
local reply = {-1, fails}
local subjects
if state == 'unproven' then
  local at = redis.call('ZSCORE', due, 'challenge')
  if not at then return reply end
  if tonumber(at) > now then return {tonumber(at) - now, fails} end
  subjects = {'challenge'}
else
  subjects = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, count)
end
for _, subject in ipairs(subjects) do
  local list = redis.call('HGET', queue, subject)
  if list then
    redis.call('ZADD', due, now + claim_ms, subject)
    reply[#reply + 1] = subject
    reply[#reply + 1] = cjson.encode(cjson.decode(list)[1])
  else
    redis.call('ZREM', due, subject)
  end
end
local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
if first[2] then reply[1] = math.max(0, tonumber(first[2]) - now) end
return reply
