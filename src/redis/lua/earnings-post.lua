--[[
  earnings-post: the only way to change an account's books. Of the given postings it makes each
  that is new and still fits: an entry whose legs sum to zero, with the records that it changes.
  A merged account takes nothing but what moves to the account that it was merged into.

  KEYS[1]  account      hash    the account's facts
  KEYS[2]  entries      stream  what was posted
  KEYS[3]  posted       hash    id of an entry -> its place in the stream
  KEYS[4]  balances     hash    book -> fen
  KEYS[5]  records      hash    what the entries are about, JSON
  KEYS[6]  confirmed    zset    commissions that wait for settlement
  KEYS[7]  lots         zset    settled commissions with something left
  KEYS[8]  debts        zset    reversals that lots have to pay
  KEYS[9]  withdrawals  zset    by the time of their request
  KEYS[10] days         hash    what each day of the month brought

  ARGV[1]  postings  JSON list of: id; legs as "book:fen book:fen"; facts, a text; records as
                     triples of field, text before and text after, false where there is none;
                     solvent, whether withdrawable must not end below zero; changes of the four
                     sorted sets by name, pairs of member and score: true is now, false takes out;
                     tally, pairs of a field of days and what it gains
  ARGV[2]  leaving   the account that postings move to, where they leave a merged one

  Reply    {merged, account} or {done, then for each: posted | known | stale | short | unbalanced}
]]
local account, entries, posted, balances, records, confirmed, lots, debts, withdrawals, days =
  unpack(KEYS)
local postings, leaving = cjson.decode(ARGV[1]), ARGV[2]
local merged_into = redis.call('HGET', account, 'merged_into')
if merged_into and merged_into ~= leaving then return {'merged', merged_into} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local may_owe = {platform = true, withdrawable = true}

local function verdict(posting)
  if redis.call('HEXISTS', posted, posting.id) == 1 then return 'known' end
  for _, change in ipairs(posting.records) do
    if redis.call('HGET', records, change[1]) ~= change[2] then return 'stale' end
  end
  local sum, after = 0, {}
  for book, fen in string.gmatch(posting.legs, '(%a+):(-?%d+)') do
    sum = sum + fen
    after[book] = (after[book] or tonumber(redis.call('HGET', balances, book) or 0)) + fen
    if after[book] < 0 and not may_owe[book] then return 'short' end
  end
  if sum ~= 0 then return 'unbalanced' end
  if posting.solvent and after.withdrawable < 0 then return 'short' end
  return 'posted'
end

local function score(change) return change[2] == true and now or change[2] end

redis.call('HINCRBY', posted, 'calls', 1) -- A WAIT after it must have something to wait for.
local reply = {'done'}
for index, posting in ipairs(postings) do
  local code = verdict(posting)
  reply[index + 1] = code
  if code == 'posted' then
    local place = redis.call('XADD', entries, '*', 'id', posting.id, 'at', now,
      'legs', posting.legs, 'facts', posting.facts)
    redis.call('HSET', posted, posting.id, place)
    for book, fen in string.gmatch(posting.legs, '(%a+):(-?%d+)') do
      redis.call('HINCRBY', balances, book, fen)
    end
    for _, to in ipairs(posting.records) do
      if to[3] then redis.call('HSET', records, to[1], to[3])
      else redis.call('HDEL', records, to[1]) end
    end
    for _, to in ipairs(posting.tally or {}) do redis.call('HINCRBY', days, to[1], to[2]) end
    for _, to in ipairs(posting.confirmed or {}) do
      if to[2] then redis.call('ZADD', confirmed, score(to), to[1])
      else redis.call('ZREM', confirmed, to[1]) end
    end
    for _, to in ipairs(posting.lots or {}) do
      if to[2] then redis.call('ZADD', lots, score(to), to[1])
      else redis.call('ZREM', lots, to[1]) end
    end
    for _, to in ipairs(posting.debts or {}) do
      if to[2] then redis.call('ZADD', debts, score(to), to[1])
      else redis.call('ZREM', debts, to[1]) end
    end
    for _, to in ipairs(posting.withdrawals or {}) do
      if to[2] then redis.call('ZADD', withdrawals, score(to), to[1])
      else redis.call('ZREM', withdrawals, to[1]) end
    end
  end
end
return reply
