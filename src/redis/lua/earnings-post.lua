--[[
  earnings-post: the only way to change an account's books. Of the given postings it makes each
  that is new and still fits: an entry whose legs sum to zero, with the records that it changes.
  A merged account takes nothing but what moves to the account that it was merged into.

  KEYS[1]  account      hash    the account's facts; `rated` is the latest payment that has its rate
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
                     rate, the terms that it was taken from and the time of the payment, ms;
                     solvent, whether withdrawable must not end below zero; owned, whether the
                     account must not be closed; a withdrawal to list; changes of the other three
                     sorted sets by name, pairs of member and score: true is now, false takes out;
                     tally, pairs of a field of days and what it gains
  ARGV[2]  leaving   the account that postings move to, where they leave a merged one
  ARGV[3]  mode      sandbox or live: of these books, and of each entry

  Reply    {merged, account} or {done, then for each: posted | known | stale | short | unbalanced |
           closed}
]]
local account, entries, posted, balances, records, confirmed, lots, debts, withdrawals, days =
  unpack(KEYS)
local postings, leaving, mode = cjson.decode(ARGV[1]), ARGV[2], ARGV[3]
local merged_into, state, terms, rated = unpack(redis.call('HMGET', account,
  'merged_into', 'state', 'terms', 'rated'))
if merged_into and merged_into ~= leaving then return {'merged', merged_into} end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))

local function verdict(posting)
  if redis.call('HEXISTS', posted, posting.id) == 1 then return 'known' end
  for _, change in ipairs(posting.records) do
    if redis.call('HGET', records, change[1]) ~= change[2] then return 'stale' end
  end
  if posting.rate and posting.rate[1] ~= (terms or '') then return 'stale' end
  local sum, after = 0, {}
  for book, fen in string.gmatch(posting.legs, '(%a+):(-?%d+)') do
    sum = sum + fen
    after[book] = (after[book] or tonumber(redis.call('HGET', balances, book) or 0)) + fen
    if after[book] < 0 and book ~= 'platform' and book ~= 'withdrawable' then return 'short' end
  end
  if sum ~= 0 then return 'unbalanced' end
  if posting.owned and (state == 'closing' or state == 'deleted') then return 'closed' end
  if posting.solvent and after.withdrawable < 0 then return 'short' end
  return 'posted'
end

redis.call('HINCRBY', posted, 'calls', 1) -- A WAIT after it must have something to wait for.
-- Of each set what comes in, scores before members, and what goes out.
local reply, sets = {'done'}, {confirmed = {{}, {}}, lots = {{}, {}}, debts = {{}, {}}}
for index, posting in ipairs(postings) do
  local code = verdict(posting)
  reply[index + 1] = code
  if code == 'posted' then
    local place = redis.call('XADD', entries, '*', 'id', posting.id, 'at', now,
      'legs', posting.legs, 'facts', posting.facts, 'mode', mode)
    redis.call('HSET', posted, posting.id, place)
    for book, fen in string.gmatch(posting.legs, '(%a+):(-?%d+)') do
      redis.call('HINCRBY', balances, book, fen)
    end
    for _, to in ipairs(posting.records) do
      if to[3] then redis.call('HSET', records, to[1], to[3])
      else redis.call('HDEL', records, to[1]) end
    end
    for _, to in ipairs(posting.tally or {}) do redis.call('HINCRBY', days, to[1], to[2]) end
    for name, changed in pairs(sets) do
      for _, to in ipairs(posting[name] or {}) do
        local list = changed[to[2] and 1 or 2]
        if to[2] then list[#list + 1] = to[2] == true and now or to[2] end
        list[#list + 1] = to[1]
      end
    end
    if posting.withdrawal then redis.call('ZADD', withdrawals, now, posting.withdrawal) end
    if posting.rate and posting.rate[2] > tonumber(rated or 0) then
      rated = string.format('%.0f', posting.rate[2])
      if redis.call('EXISTS', account) == 1 then redis.call('HSET', account, 'rated', rated) end
    end
  end
end
-- What goes out of a set goes last and in one call: it may take the key away, and while its slot
-- moves a key that is gone is out of reach: the script would stop half way.
if #sets.confirmed[1] > 0 then redis.call('ZADD', confirmed, unpack(sets.confirmed[1])) end
if #sets.confirmed[2] > 0 then redis.call('ZREM', confirmed, unpack(sets.confirmed[2])) end
if #sets.lots[1] > 0 then redis.call('ZADD', lots, unpack(sets.lots[1])) end
if #sets.lots[2] > 0 then redis.call('ZREM', lots, unpack(sets.lots[2])) end
if #sets.debts[1] > 0 then redis.call('ZADD', debts, unpack(sets.debts[1])) end
if #sets.debts[2] > 0 then redis.call('ZREM', debts, unpack(sets.debts[2])) end
return reply
