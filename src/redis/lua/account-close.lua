--[[
  account-close: closes an account in two steps: first nobody joins it any more, then nobody signs
  in, and what told who it was is gone. Its books stay.

  KEYS[1]  account  hash  the account
  KEYS[2]  login    hash  how it signs in

  ARGV[1]  state    closing or deleted

  Reply    1, or 0 when there is no such account
]]
local account, login = KEYS[1], KEYS[2]
local state = ARGV[1]

if redis.call('EXISTS', account) == 0 then return 0 end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
if redis.call('HGET', account, 'state') ~= 'deleted' then
  redis.call('HSET', account, 'state', state)
end
redis.call('HSET', account, 'changed_at', now)
if state == 'deleted' then redis.call('DEL', login) end
return 1
