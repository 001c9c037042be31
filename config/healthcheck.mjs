// Whether the node of this container should get traffic, as an exit status; run by Docker.
const TIMEOUT_MS = 2500
try {
  const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/readyz`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
