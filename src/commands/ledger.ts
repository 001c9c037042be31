/** What a command works with: a running node's Redis, an external one, or its own for a moment. */
import { ConfigError, type Config } from '../config.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { MODES, serviceMode, type Mode } from '../contract/money.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import {
  attachEmbeddedRedis, startEmbeddedRedis, urlsOf, type EmbeddedUser,
} from '../redis/embedded.ts'
import { assertFormat } from '../redis/format.ts'
import { openRoles, type RedisRoles, type RedisUrls } from '../redis/roles.ts'
import { openSecrets, readSecret } from '../secrets/open.ts'
import { readLedgerMode } from '../workers/ledger-mode.ts'

export interface Workplace extends RedisRoles {
  readonly config: Config
  /** Of the service: which books a command works on where it is not told. */
  readonly mode: Mode
  readonly urls: RedisUrls
  readonly secrets: Secrets
  readonly log: Logger
}

interface AtWorkOptions {
  /** Refuses a ledger that may not be worked on. */
  readonly open?: typeof openOwn
  /** Of the embedded Redis: whose rights the work needs. */
  readonly user?: EmbeddedUser | undefined
}

export async function atWork<T>(
  config: Config, log: Logger, work: (place: Workplace) => Promise<T>,
  { open = openOwn, user }: AtWorkOptions = {},
): Promise<T> {
  const embedded = config.redis ? null
    : await attachEmbeddedRedis({ ...config, user })
      ?? await startEmbeddedRedis({ ...config, user, log })
  const urls = config.redis ?? urlsOf(embedded)
  try {
    const roles = await openRoles(urls, log, 'bulk')
    try {
      const secrets = await open(roles.ledger, readSecret(config))
      const mode = await modeFor(roles.ledger, config)
      return await work({ ...roles, config, mode, urls, secrets, log })
    } finally {
      roles.close()
    }
  } finally {
    await embedded?.stop()
  }
}

async function openOwn(ledger: RedisClient, secret: string): Promise<Secrets> {
  await assertFormat(ledger)
  return await openSecrets(ledger, secret)
}

/** The ledger's own: what a shell has set is not always what the service has. */
async function modeFor(ledger: RedisClient, config: Config): Promise<Mode> {
  const known = await readLedgerMode(ledger)
  if (known === 'live' && config.sandbox) {
    throw new ConfigError('This ledger is live: give the command the settings of its service, '
      + 'with SANDBOX=off.')
  }
  return known ?? serviceMode(config)
}

/** `atWork` with the configuration at hand, as each command gets it. */
export type AtWork = <T>(work: (place: Workplace) => Promise<T>) => Promise<T>

/** For commands that work on books; without it on those of the service's mode. */
export const MODE_OPTION = ['--mode <mode>', `books of ${MODES.join(' or ')}`] as const

/** The place with the mode that was asked for. */
export function inMode<P extends { readonly mode: Mode }>(place: P, mode?: string): P {
  if (mode === undefined) return place
  if (!MODES.includes(mode as Mode)) throw new ConfigError(`--mode must be ${MODES.join(' or ')}.`)
  return { ...place, mode: mode as Mode }
}

/** The same for a command that changes books: those of the sandbox are a record by then. */
export function writableIn<P extends { readonly mode: Mode }>(place: P, mode?: string): P {
  const chosen = inMode(place, mode)
  if (chosen.mode === 'sandbox' && place.mode === 'live') {
    throw new ConfigError('This service is live: the sandbox\'s books are a record of pretended '
      + 'money, and nothing is done with them any more.')
  }
  return chosen
}

/** Writes of a command are acknowledged like those of a node: by its rules of durability. */
export async function withDurable<T>(
  { config, urls, log }: Pick<Workplace, 'config' | 'urls' | 'log'>,
  work: (durable: Durable) => Promise<T>,
): Promise<T> {
  const client = openRedis(urls.ledger, log)
  const durable = createDurable({
    client, replicas: config.ledgerReplicas, replicasMin: config.ledgerReplicasMin, log,
  })
  try {
    await untilReady(client, 'ledger')
    return await work(durable)
  } finally {
    durable.close()
  }
}
