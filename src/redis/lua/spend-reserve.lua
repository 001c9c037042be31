--[[
  spend-reserve: counts an order's amount against what an agent may order on a day, for itself and
  for one of its users, once for an order; or refuses and counts nothing.

  KEYS[1]  own       hash  order_no -> fen, `<order_no>:calls` -> calls that hold it, and `sum`
  KEYS[2]  user      hash  the same for one user

  ARGV[1]  day       days since 1970 (UTC) that the keys are for
  ARGV[2]  order_no
  ARGV[3]  amount    fen
  ARGV[4]  own_max   fen a day; empty where it is not limited
  ARGV[5]  user_max  the same for the user

  Reply    {'held'}, {'day', the day that it is}, or {'own' | 'user', fen left, ms until the day
           ends}
]]
local own, user = KEYS[1], KEYS[2]
local day, order_no, amount = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local own_max, user_max = tonumber(ARGV[4]), tonumber(ARGV[5])
local day_s = 86400

local time = redis.call('TIME')
local today = math.floor(time[1] / day_s)
if today ~= day then return {'day', today} end
-- Two calls of one attempt may have seen two prices: the higher one counts.
local function more_than(held) return math.max(0, amount - tonumber(held or 0)) end
local own_held, own_sum = unpack(redis.call('HMGET', own, order_no, 'sum'))
local user_held, user_sum = unpack(redis.call('HMGET', user, order_no, 'sum'))
local own_more, user_more = more_than(own_held), more_than(user_held)
local ends_ms = ((today + 1) * day_s - time[1]) * 1000
local function refusal(name, sum, more, max)
  local left = max and max - tonumber(sum or 0)
  if not max or more == 0 or more <= left then return nil end
  return {name, string.format('%.0f', math.max(0, left)), ends_ms}
end
local refused = refusal('own', own_sum, own_more, own_max)
  or refusal('user', user_sum, user_more, user_max)
if refused then return refused end

local calls, gone_at = order_no .. ':calls', (today + 2) * day_s
own_more, user_more = string.format('%.0f', own_more), string.format('%.0f', user_more)
if own_max then
  redis.call('HINCRBY', own, order_no, own_more)
  redis.call('HINCRBY', own, 'sum', own_more)
  redis.call('HINCRBY', own, calls, 1)
  redis.call('EXPIREAT', own, gone_at)
end
if user_max then
  redis.call('HINCRBY', user, order_no, user_more)
  redis.call('HINCRBY', user, 'sum', user_more)
  redis.call('HINCRBY', user, calls, 1)
  redis.call('EXPIREAT', user, gone_at)
end
return {'held'}
