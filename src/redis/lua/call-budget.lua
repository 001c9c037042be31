--[[
  call-budget: takes one call to a platform out of the bucket that all nodes share.

  Callers of a tier leave the tokens below `kept` to those who go before them. Within a tier an
  agent that used more than its share lately (the rate, divided by the agents that are active) also
  leaves `margin` tokens to those who did not. A caller alone gets the whole rate.

  KEYS[1]  bucket   string      `tokens time_us`; gone when the bucket is full
  KEYS[2]  shut     string      there while the platform takes no calls at all
  KEYS[3]  agents   sorted set  agents of the tier -> time (us) until which they used their share

  ARGV[1]  rate     tokens a second
  ARGV[2]  burst    tokens a full bucket holds
  ARGV[3]  kept     tokens that this tier leaves
  ARGV[4]  margin   tokens that an agent over its share leaves besides
  ARGV[5]  agent    empty for the operator's own jobs, which have no tier

  Reply    {1 | 0, ms until it is worth asking again, ms until the platform is open again}
]]
-- include bucket
local bucket, shut, agents = KEYS[1], KEYS[2], KEYS[3]
local rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept, margin, agent = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local hair = 1e-9
-- How far an agent may run ahead of its share, and how long it is remembered at most.
local slack_us, memory_us = 1000000, 10000000

local shut_ms = redis.call('PTTL', shut)
if shut_ms > 0 then
  return {0, shut_ms, shut_ms}
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tokens, is_ahead = refill(redis.call('GET', bucket), now, rate, burst)

local spent_until, active = now, 1
if agent ~= '' then
  local score = tonumber(redis.call('ZSCORE', agents, agent) or 0)
  spent_until = math.min(math.max(now, score), now + memory_us)
  active = redis.call('ZCOUNT', agents, string.format('(%.0f', now), '+inf')
  if score <= now then active = active + 1 end
  if spent_until - now > slack_us then kept = kept + margin end
end

local function write(level)
  local text, full_ms = bucket_of(level, now, rate, burst)
  redis.call('SET', bucket, text, 'PX', full_ms)
end

if tokens - 1 < kept - hair then
  -- The clock was set back: from now on the bucket fills again.
  if is_ahead then write(tokens) end
  return {0, math.max(1, math.ceil((kept + 1 - tokens) * 1000 / rate)), 0}
end
write(tokens - 1)
if agent ~= '' then
  redis.call('ZREMRANGEBYSCORE', agents, '-inf', string.format('%.0f', now))
  redis.call('ZREMRANGEBYSCORE', agents, string.format('(%.0f', now + memory_us), '+inf')
  local share = math.min(spent_until + active * 1000000 / rate, now + memory_us)
  redis.call('ZADD', agents, string.format('%.0f', share), agent)
  redis.call('PEXPIRE', agents, memory_us / 1000)
end
return {1, 0, 0}
