--[[
  account-close: closes an account in two steps: first nobody joins it and nothing is withdrawn any
  more, then nobody signs in, and what told who it was is gone. Its books stay.

  KEYS[1]  account   hash  the account
  KEYS[2]  login     hash  how it signs in
  KEYS[3]  balances  hash  book -> fen
  KEYS[4]  records   hash  what its books are about; `open` is the withdrawal under way

  ARGV[1]  state     closing or deleted
  ARGV[2]  forfeit   1 closes it although there is money left; nothing closes it while a withdrawal
                     is under way

  Reply    {'done'}, {'none'} when there is no such account, {'open'} for a withdrawal under way, or
           {'money', pending, confirmed, withdrawable} for what is left
]]
local account, login, balances, records = unpack(KEYS)
local wanted, forfeit = ARGV[1], ARGV[2]

if redis.call('EXISTS', account) == 0 then return {'none'} end
local state = redis.call('HGET', account, 'state')
-- What was decided once is carried through: no withdrawal has begun since.
if state ~= 'closing' and state ~= 'deleted' then
  if redis.call('HEXISTS', records, 'open') == 1 then return {'open'} end
  local sum = 0
  local left = redis.call('HMGET', balances, 'pending', 'confirmed', 'withdrawable')
  for index = 1, 3 do
    left[index] = tonumber(left[index] or 0)
    sum = sum + left[index]
  end
  if sum > 0 and forfeit ~= '1' then return {'money', unpack(left)} end
end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
if state ~= 'deleted' then redis.call('HSET', account, 'state', wanted) end
redis.call('HSET', account, 'changed_at', now)
if wanted == 'deleted' then redis.call('DEL', login) end
return {'done'}
