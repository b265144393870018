-- For wrk: what it measured, as `name=value` pairs. With $PAUSE each client waits between two
-- requests, that many milliseconds on average.
local pause = tonumber(os.getenv("PAUSE") or "0")
if pause > 0 then
  function delay() return math.random(0, 2 * pause) end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("rate=%.1f p50us=%d p99us=%d failed=%d\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50), latency:percentile(99),
    failed))
end
