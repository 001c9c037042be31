--[[
  session-use: reads a session and lets it live on, but never beyond its end.

  KEYS[1]  session   hash  account, epoch and when it ends at last

  ARGV[1]  idle_ms   how long it lives without use
  ARGV[2]  slack_ms  it is not prolonged for less than this: reading stays reading

  Reply    {} when there is none, else {account, epoch, ms it lives now}
]]
local session = KEYS[1]
local idle_ms, slack_ms = tonumber(ARGV[1]), tonumber(ARGV[2])

local facts = redis.call('HMGET', session, 'account', 'epoch', 'ends_at')
if not facts[1] then return {} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left = redis.call('PTTL', session)
local longest = math.min(idle_ms, tonumber(facts[3]) - now)
if longest - left > slack_ms then
  redis.call('PEXPIRE', session, string.format('%.0f', longest))
  left = longest
end
return {facts[1], facts[2], left}
