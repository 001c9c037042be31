--[[
  outbox-lag: counts what follows a place in an outbox.

  KEYS[1]  outbox     stream  what happened in the partition

  ARGV[1]  place      id of the last entry that was done
  ARGV[2]  count_max  more than these are not counted

  Reply    {entries, id of the first of them}
]]
local outbox = KEYS[1]
local place, count_max = ARGV[1], ARGV[2]

local after = '(' .. place
local entries = redis.call('XRANGE', outbox, after, '+', 'COUNT', count_max)
if #entries == 0 then return {0, ''} end
return {#entries, entries[1][1]}
