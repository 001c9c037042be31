--[[
  claim-fade: has a claim end with its order, which was closed unpaid. The time stands in the claim,
  so that an event of the order's creation that comes late does not keep it for good.

  KEYS[1]  claim     string  "fingerprint id"

  ARGV[1]  id        of the order
  ARGV[2]  fades_at  when the order is dropped, milliseconds

  Reply    1 when there is such a claim
]]
local claim, id, fades_at = KEYS[1], ARGV[1], ARGV[2]

local bound = redis.call('GET', claim)
local kept, bound_id = string.match(bound or '', '^(%S+ (%S+))')
if bound_id ~= id then return 0 end
local faded = kept .. ' ' .. fades_at
redis.call('SET', claim, faded, 'PXAT', fades_at)
return 1
