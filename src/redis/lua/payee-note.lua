--[[
  payee-note: notes a payee that its owner proved, and says when it may be paid.

  KEYS[1]  login      hash  how the account signs in
  KEYS[2]  payees     hash  hash of a payee -> when it may first be paid

  ARGV[1]  payee      its keyed hash
  ARGV[2]  hold_ms    how long a new payee waits
  ARGV[3]  payee_max  payees that an account may have had

  Reply    when it may be paid, ms; -1 when the account has had too many
]]
local login, payees = KEYS[1], KEYS[2]
local payee, hold_ms, payee_max = ARGV[1], ARGV[2], tonumber(ARGV[3])

local from = redis.call('HGET', payees, payee)
if not from and redis.call('HLEN', payees) >= payee_max then return -1 end
local time = redis.call('TIME')
from = from or string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + hold_ms)
-- Written again as it is: a WAIT after it must have something to wait for.
redis.call('HSET', payees, payee, from)
local held = redis.call('HGET', login, 'hold_until')
if held and tonumber(held) > tonumber(from) then return held end
return from
