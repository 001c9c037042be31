--[[
  agent-join: makes an agent a member of an account, if the account has room; again is no harm.

  KEYS[1]  account  hash  member:<agent> -> when it joined, beside the account's other facts

  ARGV[1]  member   the field: member:<agent>
  ARGV[2]  at       when, ISO 8601
  ARGV[3]  limit    members that an account may have

  Reply    1 when it is a member, 0 when there is no room
]]
local account = KEYS[1]
local member, at, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('HEXISTS', account, member) == 0 then
  local members = 0
  for _, field in ipairs(redis.call('HKEYS', account)) do
    if string.sub(field, 1, 7) == 'member:' then members = members + 1 end
  end
  if members >= limit then return 0 end
end
redis.call('HSET', account, member, at)
return 1
