--[[
  open-reserve: counts an order that is about to be placed among those of one caller that wait for
  payment, and among the caller's attempts of the day, once for an order; or refuses and counts
  nothing. What waits no longer, and nobody took out, is taken out here.

  KEYS[1]  open       zset  order_no by the end of its payment window, milliseconds
  KEYS[2]  tally      hash  order_no -> "units note", `<order_no>:calls` -> calls that hold it,
                            `units` in all of them, `day` and what was `tried` on it

  ARGV[1]  order_no
  ARGV[2]  units
  ARGV[3]  note       kept with the order
  ARGV[4]  window_ms  time in which it must be paid
  ARGV[5]  open_max   orders that may wait
  ARGV[6]  units_max  units in them
  ARGV[7]  day_max    attempts of a UTC day

  Reply    {'held', 1 where it was not counted before}, or {'open' | 'units' | 'per_day', left, ms
           until there is room}
]]
local open, tally = KEYS[1], KEYS[2]
local order_no, units, note, window_ms, open_max, units_max, day_max = unpack(ARGV)
local day_s, gone_max = 86400, 100

local time = redis.call('TIME')
local now, today = time[1] * 1000 + math.floor(time[2] / 1000), math.floor(time[1] / day_s)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', open, '-inf', now, 'LIMIT', 0, gone_max)) do
  local kept, calls = redis.call('HGET', tally, gone) or '0', gone .. ':calls'
  redis.call('HINCRBY', tally, 'units', -string.match(kept, '^%d+'))
  redis.call('HDEL', tally, gone, calls)
  redis.call('ZREM', open, gone)
end
local calls = order_no .. ':calls'
if redis.call('ZSCORE', open, order_no) then
  redis.call('HINCRBY', tally, calls, 1)
  return {'held', 0}
end

local sum, day, tried = unpack(redis.call('HMGET', tally, 'units', 'day', 'tried'))
tried = tonumber(day) == today and tonumber(tried) or 0
local first = redis.call('ZRANGE', open, 0, 0, 'WITHSCORES')
local until_end, until_day = tonumber(first[2] or now) - now, (today + 1) * day_s * 1000 - now
local units_left = math.max(0, units_max - tonumber(sum or 0))
if tried >= tonumber(day_max) then return {'per_day', 0, until_day} end
if redis.call('ZCARD', open) >= tonumber(open_max) then return {'open', 0, until_end} end
if tonumber(units) > units_left then return {'units', units_left, until_end} end

local kept = units .. ' ' .. note
redis.call('ZADD', open, now + window_ms, order_no)
redis.call('HSET', tally, order_no, kept, calls, 1, 'day', today, 'tried', tried + 1)
redis.call('HINCRBY', tally, 'units', units)
redis.call('PEXPIRE', open, window_ms)
redis.call('PEXPIRE', tally, math.max(tonumber(window_ms), until_day))
return {'held', 1}
