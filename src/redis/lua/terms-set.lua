--[[
  terms-set: agrees a rate with an account from this moment on, and keeps the earlier ones: what
  was paid before it has the rate of its own moment, whenever it is heard of. A payment that has a
  rate keeps it, also one that another master's clock puts later: the change counts after it.

  KEYS[1]  account  hash  the account; `terms` is "since:bps since:bps", milliseconds, oldest
                          first; `rated` the latest payment that has its rate

  ARGV[1]  bps      basis points
  ARGV[2]  kept     changes that are remembered

  Reply    {'done'}, {'none'} when there is no such account or it is deleted, or {'merged', account}
           that it went to
]]
local account = KEYS[1]
local bps, kept = ARGV[1], tonumber(ARGV[2])

local facts = redis.call('HMGET', account, 'merged_into', 'state', 'terms', 'rated')
if facts[1] then return {'merged', facts[1]} end
if redis.call('EXISTS', account) == 0 or facts[2] == 'deleted' then return {'none'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local terms, last, last_bps = {}, 0, nil
for since, rate in string.gmatch(facts[3] or '', '(%d+):(%d+)') do
  terms[#terms + 1] = since .. ':' .. rate
  last, last_bps = tonumber(since), rate
end
if last_bps ~= bps then
  local since = math.max(now, last, (tonumber(facts[4]) or -1) + 1)
  terms[#terms + 1] = string.format('%.0f:%s', since, bps)
end
if #terms > kept then
  table.remove(terms, 1)
  terms[1] = string.gsub(terms[1], '^%d+', '0')
end
redis.call('HSET', account, 'terms', table.concat(terms, ' '))
return {'done'}
