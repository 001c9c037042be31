--[[
  ledger-format: admits code to the ledger by the format it writes, and records that format.

  KEYS[1]  ledger_format  hash    format: highest written so far; reader: lowest that may run;
                                restoring: there while a restore is not finished

  ARGV[1]  format      the caller's
  ARGV[2]  reader_min  the lowest format of code that may run beside the caller

  Reply    {highest format, lowest reader, 1 while restoring}; nothing is written while restoring,
           or when the caller is below the lowest reader
]]
local ledger_format = KEYS[1]
local format, reader_min = tonumber(ARGV[1]), tonumber(ARGV[2])

local known = redis.call('HMGET', ledger_format, 'format', 'reader', 'restoring')
local highest, reader = tonumber(known[1] or 0), tonumber(known[2] or 0)
if known[3] then return {highest, reader, 1} end
if reader > format then return {highest, reader, 0} end
highest, reader = math.max(highest, format), math.max(reader, reader_min)
redis.call('HSET', ledger_format, 'format', highest, 'reader', reader)
return {highest, reader, 0}
