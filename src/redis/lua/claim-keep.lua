--[[
  claim-keep: keeps a claim for good, or as long as its order where that was closed unpaid. It
  writes even when there is nothing to change: the caller's WAIT must cover what another connection
  did.

  KEYS[1]  claim       string  "fingerprint id", and since when its order fades where it does

  ARGV[1]  created_at  when its order was placed, milliseconds; empty for any other result

  Reply    1 when there is such a claim
]]
local claim, created_at = KEYS[1], tonumber(ARGV[1])

local bound = redis.call('GET', claim)
if not bound then return 0 end
local kept, fades_at = string.match(bound, '^(%S+ %S+) (%d+)$')
if kept and created_at and created_at < tonumber(fades_at) then
  redis.call('SET', claim, bound, 'KEEPTTL')
else
  redis.call('SET', claim, kept or bound)
end
return 1
