--[[
  trial-merge: binds a trial to the account that its earnings and agents go to, once.

  KEYS[1]  trial    hash  the trial's account: kind, member:<agent>, merged_into

  ARGV[1]  account  that it goes to
  ARGV[2]  agents   JSON: those for which the account has room, as keys
  ARGV[3]  at       when, ISO 8601

  Reply    {'none'} when it is no trial, {'agents'} when it has others than those, else {'merged',
           the account that it went to}
]]
local trial = KEYS[1]
local account, agents, at = ARGV[1], cjson.decode(ARGV[2]), ARGV[3]

local facts = redis.call('HMGET', trial, 'kind', 'merged_into')
if facts[1] ~= 'trial' then return {'none'} end
if facts[2] then
  -- Written again as it is: a WAIT after it must have something to wait for.
  redis.call('HSET', trial, 'merged_into', facts[2])
  return {'merged', facts[2]}
end
for _, field in ipairs(redis.call('HKEYS', trial)) do
  local agent = string.match(field, '^member:(.+)$')
  if agent and not agents[agent] then return {'agents'} end
end
redis.call('HSET', trial, 'merged_into', account, 'merged_at', at)
return {'merged', account}
