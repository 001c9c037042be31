--[[
  webhook-settle: notes an attempt at a delivery in the log, and what follows from it for its
  subject and for the endpoint. Of a delivery that is not first any more only the log gains.
  What waits for an endpoint that is disabled is kept for some days: it may come back.

  KEYS[1]  webhook   hash    the endpoint
  KEYS[2]  queue     hash    subject -> JSON list of deliveries that wait
  KEYS[3]  due       zset    those subjects by the time of their next attempt
  KEYS[4]  attempts  stream  the log

  ARGV[1]  subject
  ARGV[2]  id          of the delivery
  ARGV[3]  outcome     done, later, dropped, or gone: the receiver wants no more
  ARGV[4]  retry_ms    until its next attempt
  ARGV[5]  pause_ms    for which an endpoint that fails is left alone
  ARGV[6]  fails_max   failures in a row after which it counts as failing
  ARGV[7]  failing_ms  after so long it is disabled
  ARGV[8]  log         JSON: [field, value, ...] of the attempt
  ARGV[9]  log_max     attempts kept
  ARGV[10] kept_ms     for so long, and what waits for an endpoint that is disabled
  ARGV[11] claim_ms    how long a claim lasts: what may be claimed is left alone

  Reply    the endpoint's state; disabled: by this attempt
]]
local webhook, queue, due, attempts = unpack(KEYS)
local subject, id, outcome, retry_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local pause_ms, fails_max, failing_ms = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local log, log_max, kept_ms = cjson.decode(ARGV[8]), ARGV[9], tonumber(ARGV[10])

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state, fails, since = unpack(redis.call('HMGET', webhook, 'state', 'fails', 'failing_since'))
if not state then return 'missing' end
redis.call('XADD', attempts, 'MAXLEN', log_max, '*', unpack(log))
redis.call('XTRIM', attempts, 'MINID', string.format('%.0f-0', now - kept_ms))
redis.call('PEXPIRE', attempts, kept_ms)
if state == 'disabled' then return 'off' end

fails, since = tonumber(fails or 0), tonumber(since or now)
local is_over = outcome == 'gone' or outcome ~= 'done' and now - since >= failing_ms
  or subject == 'challenge' and outcome == 'dropped'
-- Before anything is taken out: a key that this empties must not be touched again.
if is_over then
  redis.call('PEXPIRE', queue, kept_ms)
  redis.call('PEXPIRE', due, kept_ms)
elseif outcome == 'done' and (subject == 'challenge' or fails >= fails_max) then
  -- It is back: what waits longest need not wait for its next time.
  local from = string.format('(%.0f', now + ARGV[11])
  local late = redis.call('ZRANGEBYSCORE', due, from, '+inf', 'LIMIT', 0, 2000)
  for _, waiting in ipairs(late) do redis.call('ZADD', due, now, waiting) end
end

local text = redis.call('HGET', queue, subject)
local list = text and cjson.decode(text) or {}
local is_first = list[1] and list[1].id == id
if is_first and outcome == 'later' then
  list[1].n = (list[1].n or 0) + 1
  redis.call('HSET', queue, subject, cjson.encode(list))
  redis.call('ZADD', due, now + retry_ms, subject)
elseif is_first and outcome ~= 'gone' then
  table.remove(list, 1)
  if subject ~= 'challenge' then redis.call('HINCRBY', webhook, 'waiting', -1) end
  if #list > 0 then
    redis.call('HSET', queue, subject, cjson.encode(list))
    redis.call('ZADD', due, now, subject)
  else
    redis.call('HDEL', queue, subject)
    redis.call('ZREM', due, subject)
  end
end

if outcome == 'done' then
  redis.call('HSET', webhook, 'fails', 0, 'succeeded_at', string.format('%.0f', now))
  redis.call('HDEL', webhook, 'failing_since', 'paused_until')
  if subject ~= 'challenge' then return state end
  redis.call('HSET', webhook, 'state', 'active')
  return 'active'
end
fails = redis.call('HINCRBY', webhook, 'fails', 1)
redis.call('HSET', webhook, 'failing_since', string.format('%.0f', since),
  'failed_at', string.format('%.0f', now))
if fails >= fails_max then
  redis.call('HSET', webhook, 'paused_until', string.format('%.0f', now + pause_ms))
end
if not is_over then return state end
redis.call('HSET', webhook, 'state', 'disabled', 'unsaid', now,
  'reason', outcome == 'gone' and 'gone' or 'failing')
return 'disabled'
