--[[
  login-reset: sets a password that nobody had to prove, for who reads the address's mail. Ends all
  sessions, forgets the payees and holds withdrawals for a while.

  KEYS[1]  login    hash  how the account signs in
  KEYS[2]  payees   hash  hash of a payee -> when it may first be paid

  ARGV[1]  epoch    of the sessions when the mail was sent: a link works once
  ARGV[2]  next     hash of the new password
  ARGV[3]  hold_ms  how long no withdrawal is paid

  Reply    the new epoch, or 0 when it has changed meanwhile or the account is gone
]]
local login, payees = KEYS[1], KEYS[2]
local epoch, next_password, hold_ms = ARGV[1], ARGV[2], ARGV[3]

local now_epoch, verified_at = unpack(redis.call('HMGET', login, 'epoch', 'verified_at'))
if not now_epoch or now_epoch ~= epoch then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', login, 'password', next_password, 'verified_at', verified_at or now,
  'hold_until', now + hold_ms)
redis.call('DEL', payees)
return redis.call('HINCRBY', login, 'epoch', 1)
