--[[
  token-bucket: takes tokens for calls that wait, and a slice for calls to come.

  A token for a waiting call is spent at this moment; one of the slice up to hold_ms later, by when
  the bucket may have filled again. So nothing is handed out ahead while the bucket holds more than
  burst less what comes in hold_ms: what is above is given up first. With that, over any time and
  any number of nodes, what is spent is at most burst + rate × time.

  KEYS[1]  bucket    string  `tokens time_us`; gone when the bucket is full

  ARGV[1]  waiting   calls that wait, granted as far as there are tokens
  ARGV[2]  ahead     tokens of the slice; none when a waiting call was refused
  ARGV[3]  hold_ms   how long a slice may be kept
  ARGV[4]  rate      tokens a second
  ARGV[5]  burst     tokens a full bucket holds

  Reply    {tokens granted, whole tokens left, ms until there is one more}
]]
-- include bucket
local bucket = KEYS[1]
local waiting, ahead, hold_ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local rate, burst = tonumber(ARGV[4]), tonumber(ARGV[5])
-- Sums of fractions may miss a whole token by less than any time that Redis can measure.
local hair = 1e-9

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tokens, is_ahead = refill(redis.call('GET', bucket), now, rate, burst)

local granted = math.min(waiting, math.floor(tokens + hair))
local slice = 0
local rest = tokens - granted
if ahead > 0 and granted == waiting then
  rest = math.min(rest, burst - rate * hold_ms / 1000)
  slice = math.max(0, math.min(ahead, math.floor(rest + hair)))
  rest = rest - slice
end
local left = math.max(0, math.floor(rest + hair))
local next_ms = math.ceil((left + 1 - rest) * 1000 / rate)
-- A refusal writes nothing, or else the time of a clock that was set back: from now on the bucket
-- fills again, and nobody waits until that time comes a second time.
if granted + slice == 0 and not is_ahead then
  return {0, left, next_ms}
end
local text, full_ms = bucket_of(rest, now, rate, burst)
redis.call('SET', bucket, text, 'PX', full_ms)
return {granted + slice, left, next_ms}
