--[[
  pool-take: gives an agent one of the marks that a platform issued, the same each time.

  KEYS[1]  pool   hash  `agent:<agent>` → mark, `mark:<mark>` → agent

  ARGV[1]  agent
  ARGV[2]  marks  JSON list of those that the operator has

  Reply    the mark, or an empty string where all are others'
]]
local pool = KEYS[1]
local agent, marks = ARGV[1], cjson.decode(ARGV[2])

local own_field = 'agent:' .. agent
local own = redis.call('HGET', pool, own_field)
for _, mark in ipairs(marks) do
  if mark == own then
    -- Written again, so that a WAIT behind this call covers it.
    redis.call('HSET', pool, own_field, mark)
    return mark
  end
end
for _, mark in ipairs(marks) do
  local mark_field = 'mark:' .. mark
  if redis.call('HSETNX', pool, mark_field, agent) == 1 then
    redis.call('HSET', pool, own_field, mark)
    return mark
  end
end
return ''
