--[[
  agent-move: makes an agent of a trial one of an account, with what an account's agents may do.

  KEYS[1]  agent    hash  the agent

  ARGV[1]  account  it belongs to from now on
  ARGV[2]  tier     that it gets where it has the trial's

  Reply    1, or 0 when there is no such agent
]]
local agent = KEYS[1]
local account, tier = ARGV[1], ARGV[2]

if redis.call('EXISTS', agent) == 0 then return 0 end
redis.call('HSET', agent, 'account', account)
if redis.call('HGET', agent, 'tier') == 'trial' then redis.call('HSET', agent, 'tier', tier) end
return 1
