--[[
  token-bucket: takes tokens from a bucket, or refuses and takes nothing.
  Called through rate-limiter-flexible, whose operands and reply these are.

  KEYS[1]  bucket    string  time (ms) at which the bucket is full again; gone when it is full

  ARGV[1]  cost      tokens this call takes
  ARGV[2]  seconds   time in which an empty bucket fills
  ARGV[3]  burst     tokens a full bucket holds

  Reply    {tokens gone after the call (burst + 1 when refused), ms until full or until granted}
]]
local bucket = KEYS[1]
local cost, seconds, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local per_token = seconds * 1000 / burst
local full_at = math.max(tonumber(redis.call('GET', bucket) or 0), now)
local full_after = full_at + cost * per_token

local wait = full_after - now - seconds * 1000
if wait > 0.001 then
  return {burst + 1, math.ceil(wait)}
end
local left = full_after - now
redis.call('SET', bucket, string.format('%.3f', full_after), 'PX', math.max(1, math.ceil(left)))
return {math.ceil(left / per_token - 0.001), math.ceil(left)}
