--[[
  quota-return: gives back units of a day's quota that were taken and not used.

  KEYS[1]  used   string  units taken this day

  ARGV[1]  units

  Reply    units taken so far
]]
local used = KEYS[1]
local units = tonumber(ARGV[1])

local taken = tonumber(redis.call('GET', used) or 0)
if taken == 0 then
  return 0
end
local rest = math.max(0, taken - units)
redis.call('SET', used, string.format('%.0f', rest), 'KEEPTTL')
return rest
