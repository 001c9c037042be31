/** OpenTelemetry, where the operator names a collector; elsewhere none of its code is loaded. */
import type { Observation } from '../../adapters/index.ts'
import { ConfigError, type Config } from '../config.ts'
import type { Gate } from '../gate/gate.ts'
import type { Route } from '../contract/http.ts'
import type { Role } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'

/** Each makes of a part of the node one that leaves spans. */
export interface Traces {
  routes(routes: readonly Route[]): Route[]
  gate(gate: Gate): Gate
  durable(durable: Durable): Durable
  /** Changes the client itself. */
  redis(client: RedisClient, role: Role): void
  /** For each call to a platform, when it is over. */
  mallCall(seen: Observation): void
  /** Sends what it still has. */
  close(): Promise<void>
}

/** Undefined when traces are off: what is not wrapped costs nothing. */
export async function openTraces(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
): Promise<Traces | undefined> {
  if (otlpEndpoint === undefined) return undefined
  const { createTraces } = await import('./open-telemetry.ts').catch((cause: unknown) => {
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT needs the optional packages: run npm ci.',
      { cause })
  })
  return createTraces(otlpEndpoint)
}
