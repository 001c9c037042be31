--[[
  claim-keep: keeps a claim for good. It writes even when there is nothing to change: the caller's
  WAIT must cover what another connection did.

  KEYS[1]  claim  string  "fingerprint id"

  Reply    1 when there is such a claim
]]
local claim = KEYS[1]

local bound = redis.call('GET', claim)
if not bound then return 0 end
redis.call('SET', claim, bound)
return 1
