-- A token bucket is a string `tokens time_us`, and gone when it is full.

-- Tokens at the moment `now`, and whether the bucket's time is ahead of it: a clock that was set
-- back adds nothing.
local function refill(stored, now, rate, burst)
  if not stored then return burst, false end
  local level, at = string.match(stored, '^(%S+) (%S+)$')
  local passed = math.max(0, now - tonumber(at))
  return math.min(burst, tonumber(level) + passed * rate / 1000000), tonumber(at) > now
end

-- What is stored, and for how long: one ms more, because Redis counts a key's life from the last
-- whole millisecond.
local function bucket_of(level, now, rate, burst)
  return string.format('%.17g %.0f', level, now), math.ceil((burst - level) * 1000 / rate) + 1
end
