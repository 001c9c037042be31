--[[
  agent-leave: takes an agent out of its account, whose place is free then; it stays on record.

  KEYS[1]  account  hash  member:<agent> -> when it joined, beside the account's other facts
  KEYS[2]  former   zset  agents that were members, by the time they left

  ARGV[1]  agent
  ARGV[2]  member   the field: member:<agent>
  ARGV[3]  record   1 keeps it on record; empty for one that never worked for the account

  Reply    1 when it was a member
]]
local account, former = KEYS[1], KEYS[2]
local agent, member, record = ARGV[1], ARGV[2], ARGV[3]

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local was_member = redis.call('HDEL', account, member)
if was_member == 1 and record == '1' then redis.call('ZADD', former, now, agent) end
-- A WAIT after it must have something to wait for.
if redis.call('EXISTS', account) == 1 then redis.call('HSET', account, 'changed_at', now) end
return was_member
