--[[
  account-close: closes an account in two steps: first nobody joins it and nothing is withdrawn any
  more, then nobody signs in, and what told who it was is gone. Its books stay.

  KEYS[1]  account   hash  the account
  KEYS[2]  login     hash  how it signs in
  KEYS[3]  balances  hash  book -> fen, of the sandbox
  KEYS[4]  records   hash  what those books are about; `open` is the withdrawal under way
  KEYS[5]  live_balances  hash  the same of real money
  KEYS[6]  live_records   hash

  ARGV[1]  state      closing or deleted
  ARGV[2]  forfeit    1 closes it although there is money left; nothing closes it while a
                      withdrawal is under way
  ARGV[3]  write_off  1 closes it although it owes
  ARGV[4]  mode       of the service; once it is live pretended money keeps nobody

  Reply    {'done'}, {'none'} when there is no such account, {'open'} for a withdrawal under way,
           {'money', pending, confirmed, withdrawable} for what is left, or {'debt', fen}
]]
local account, login, balances, records, live_balances, live_records = unpack(KEYS)
local state, forfeit, write_off, mode = unpack(ARGV)

local function obstacle(is_open, left)
  if is_open == 1 then return {'open'} end
  local sum = 0
  for index = 1, 3 do
    left[index] = tonumber(left[index] or 0)
    sum = sum + left[index]
  end
  if sum > 0 and forfeit ~= '1' then return {'money', unpack(left)} end
  if sum < 0 and write_off ~= '1' then return {'debt', -sum} end
end

if redis.call('EXISTS', account) == 0 then return {'none'} end
local present = redis.call('HGET', account, 'state')
-- What was decided once is carried through: no withdrawal has begun since.
if present ~= 'closing' and present ~= 'deleted' then
  local found = obstacle(redis.call('HEXISTS', live_records, 'open'),
    redis.call('HMGET', live_balances, 'pending', 'confirmed', 'withdrawable'))
  if not found and mode == 'sandbox' then
    found = obstacle(redis.call('HEXISTS', records, 'open'),
      redis.call('HMGET', balances, 'pending', 'confirmed', 'withdrawable'))
  end
  if found then return found end
end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
if present ~= 'deleted' then redis.call('HSET', account, 'state', state) end
redis.call('HSET', account, 'changed_at', now)
if state == 'deleted' then redis.call('DEL', login) end
return {'done'}
