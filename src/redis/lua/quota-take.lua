--[[
  quota-take: takes units of a day's quota, as many as there are.

  KEYS[1]  used   string  units taken this day; gone a day after its end

  ARGV[1]  day    days since 1970 (UTC) that the key is for
  ARGV[2]  limit  units a day has
  ARGV[3]  want   units to take

  Reply    {units granted, units taken so far, ms until the day ends};
           {-1, the day that it is, 0} when that is another
]]
local used = KEYS[1]
local day, limit, want = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local day_s = 86400

local time = redis.call('TIME')
local seconds, micros = tonumber(time[1]), tonumber(time[2])
local today = math.floor(seconds / day_s)
if today ~= day then
  return {-1, today, 0}
end

local ends_ms = ((today + 1) * day_s - seconds) * 1000 - math.ceil(micros / 1000)
local taken = tonumber(redis.call('GET', used) or 0)
local granted = math.max(0, math.min(want, limit - taken))
if granted == 0 then
  return {0, taken, ends_ms}
end
redis.call('SET', used, string.format('%.0f', taken + granted), 'EXAT', (today + 2) * day_s)
return {granted, taken + granted, ends_ms}
