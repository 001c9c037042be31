-- Sends the requests of a file in turn and prints what came of it as one line of JSON.
-- Arguments: the file, and the character that stands between two requests.
local requests, at, wraps = {}, 0, 0
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local file = assert(io.open(args[1], "rb"))
  local text = file:read("*a")
  file:close()
  local from = 1
  while true do
    local to = text:find("\30", from, true)
    requests[#requests + 1] = text:sub(from, to and to - 1 or nil)
    if not to then break end
    from = to + 1
  end
end

function request()
  at = at + 1
  if at > #requests then
    at = 1
    wraps = wraps + 1
    _G.wrapped = wraps
  end
  return requests[at]
end

function done(summary, latency)
  local wrapped = 0
  for _, thread in ipairs(threads) do wrapped = wrapped + (thread:get("wrapped") or 0) end
  local errors = summary.errors
  local numbers = {
    requests = summary.requests, us = summary.duration, bytes = summary.bytes,
    status = errors.status, wraps = wrapped,
    socket = errors.connect + errors.read + errors.write + errors.timeout,
    p50 = latency:percentile(50), p99 = latency:percentile(99),
  }
  local fields = {}
  for name, number in pairs(numbers) do
    fields[#fields + 1] = string.format('"%s":%d', name, number)
  end
  io.write("RESULT {" .. table.concat(fields, ",") .. "}\n")
end
