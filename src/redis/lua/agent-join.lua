--[[
  agent-join: makes an agent a member of an account, if the account has room; again is no harm.

  KEYS[1]  account  hash  member:<agent> -> when it joined, beside the account's other facts

  ARGV[1]  member   the field: member:<agent>
  ARGV[2]  at       when, ISO 8601
  ARGV[3]  limit    members that an account may have

  Reply    1 when it is a member, 0 when there is no room, -1 when the account takes none: it was
           merged into another, or is closed
]]
local account = KEYS[1]
local member, at, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])

local facts = redis.call('HMGET', account, member, 'merged_into', 'state')
if facts[2] or facts[3] == 'closing' or facts[3] == 'deleted' then return -1 end
if not facts[1] then
  local members = 0
  for _, field in ipairs(redis.call('HKEYS', account)) do
    if string.sub(field, 1, 7) == 'member:' then members = members + 1 end
  end
  if members >= limit then return 0 end
end
redis.call('HSET', account, member, facts[1] or at)
return 1
