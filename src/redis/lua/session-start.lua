--[[
  session-start: opens a session, which ends when it is not used, and at a time of its own at last.

  KEYS[1]  session  hash  account, epoch and when it ends at last

  ARGV[1]  account
  ARGV[2]  epoch    of the account's sessions when it was opened
  ARGV[3]  idle_ms  how long it lives without use
  ARGV[4]  life_ms  how long it lives at all

  Reply    1
]]
local session = KEYS[1]
local account, epoch, idle_ms, life_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', session, 'account', account, 'epoch', epoch, 'ends_at', now + life_ms)
redis.call('PEXPIRE', session, idle_ms)
return 1
