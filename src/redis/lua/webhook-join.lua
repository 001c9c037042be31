--[[
  webhook-join: lists a webhook endpoint with its account, while that has a place for it.

  KEYS[1]  webhooks  hash  endpoint -> the agent that made it, empty for the account

  ARGV[1]  id
  ARGV[2]  agent
  ARGV[3]  count_max  endpoints that an account may have

  Reply    1 when it is listed
]]
local webhooks = KEYS[1]
local id, agent, count_max = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('HEXISTS', webhooks, id) == 0 and redis.call('HLEN', webhooks) >= count_max then
  return 0
end
redis.call('HSET', webhooks, id, agent)
return 1
