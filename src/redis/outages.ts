/** Log lines about connections: one when a Redis is lost and one when it is back. */
import type { EventEmitter } from 'node:events'
import { createTroubleLog, type Logger, type TroubleLog } from '../log.ts'

interface Outage {
  /** Connections that are lost. */
  readonly clients: Set<EventEmitter>
  readonly trouble: TroubleLog
}

/** By logger and address: a process has many connections to one Redis. */
const outages = new WeakMap<object, Map<string, Outage>>()

const losses = new WeakMap<EventEmitter, string>()

/** Why a connection failed last. */
export const lossOf = (client: EventEmitter): string | undefined => losses.get(client)

/** `address` is shown in the log: it must hold no password. */
export function logOutages(
  client: EventEmitter, address: string, log: Pick<Logger, 'warn'>,
): void {
  const known = outages.get(log) ?? new Map<string, Outage>()
  outages.set(log, known)
  const { clients, trouble } = known.get(address) ?? {
    clients: new Set<EventEmitter>(),
    trouble: createTroubleLog(log, 'Redis does not answer', 'Redis answers again'),
  }
  known.set(address, { clients, trouble })

  client.on('error', (error: NodeJS.ErrnoException) => {
    clients.add(client)
    losses.set(client, reasonOf(error))
    trouble.report(reasonOf(error), { redis: address })
  })
  client.on('ready', leave)
  client.on('end', leave)

  function leave(): void {
    if (clients.delete(client) && clients.size === 0) trouble.end({ redis: address })
  }
}

/** Several addresses of one name fail as a group, which has a code and no message. */
const reasonOf = ({ message, code, name }: NodeJS.ErrnoException): string =>
  message || (code ?? name)
