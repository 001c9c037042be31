/**
 * What a command works with: the Redis of a running node, an external one, or its own for a
 * moment; accounts as the operator works with them; and the line of JSON that a command prints.
 */
import { Accounts } from '../accounts/accounts.ts'
import { Agents } from '../accounts/agents.ts'
import { ApiKeys } from '../accounts/api-keys.ts'
import { AccountViews } from '../accounts/views.ts'
import { type Config, ConfigError } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { type Mode, MODES, serviceMode } from '../contract/money.ts'
import {
  attachEmbeddedRedis, type EmbeddedUser, startEmbeddedRedis,
} from '../dev/redis/embedded.ts'
import { mergeTrial } from '../earnings/merge-trial.ts'
import { readTiers } from '../limits/limits.ts'
import type { Logger } from '../log.ts'
import { openOrderArchive, type OrderArchive } from '../orders/archive/archive.ts'
import { openRedis, type RedisClient, untilReady } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { assertFormat } from '../redis/format.ts'
import { openRoles, type RedisRoles, type RedisUrls, urlsOf } from '../redis/roles.ts'
import type { Secrets } from '../secrets/derive.ts'
import { openSecrets, readSecret } from '../secrets/open.ts'
import { readLedgerMode } from '../workers/ledger-mode.ts'

export interface CommandContext extends RedisRoles {
  readonly config: Config
  /** Of the service: which books a command works on where it is not told. */
  readonly mode: Mode
  readonly urls: RedisUrls
  readonly secrets: Secrets
  /** Where ended orders are; undefined where there is none. */
  readonly archive: OrderArchive | undefined
  readonly log: Logger
}

interface WithLedgerOptions {
  /** Refuses a ledger that may not be worked on. */
  readonly open?: typeof openOwn
  /** Of the embedded Redis: whose rights the work needs. */
  readonly user?: EmbeddedUser | undefined
}

export async function withLedger<T>(
  config: Config, log: Logger, work: (context: CommandContext) => Promise<T>,
  { open = openOwn, user }: WithLedgerOptions = {},
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
      return await work({
        ...roles, config, mode, urls, secrets, archive: openOrderArchive(config), log,
      })
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

/** `withLedger` with the configuration at hand, as each command gets it. */
export type WithLedger = <T>(work: (context: CommandContext) => Promise<T>) => Promise<T>

/** For commands that work on books; without it on those of the service's mode. */
export const MODE_OPTION = ['--mode <mode>', `books of ${MODES.join(' or ')}`] as const

/** The context with the mode that was asked for. */
export function inMode<P extends { readonly mode: Mode }>(context: P, mode?: string): P {
  if (mode === undefined) return context
  if (!MODES.includes(mode as Mode)) throw new ConfigError(`--mode must be ${MODES.join(' or ')}.`)
  return { ...context, mode: mode as Mode }
}

/** The same for a command that changes books: those of the sandbox are a record by then. */
export function writableIn<P extends { readonly mode: Mode }>(context: P, mode?: string): P {
  const chosen = inMode(context, mode)
  if (chosen.mode === 'sandbox' && context.mode === 'live') {
    throw new ConfigError('This service is live: the sandbox\'s books are a record of pretended '
      + 'money, and nothing is done with them any more.')
  }
  return chosen
}

/** Writes of a command are acknowledged like those of a node: by its rules of durability. */
export async function withDurable<T>(
  { config, urls, log }: Pick<CommandContext, 'config' | 'urls' | 'log'>,
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

interface AccountContext extends CommandContext {
  readonly durable: Durable
  readonly apiKeys: ApiKeys
  /** Sends no mail. */
  readonly accounts: Accounts
  readonly agents: Agents
  readonly views: AccountViews
  /** Best effort, like all that concerns views. */
  refreshView(account: string): Promise<void>
}

/** A refusal becomes one sentence for the operator. */
export function withAccounts(
  withLedger: WithLedger, work: (context: AccountContext) => Promise<void>,
): Promise<void> {
  return withLedger((context) => withDurable(context, async (durable) => {
    const { ledger, secrets, mode, config, log } = context
    const apiKeys = new ApiKeys({
      ledger, durable, secrets, log, takeTrial: async () => undefined,
    })
    const views = viewsOf(context)
    try {
      await work({
        ...context, durable, apiKeys, views,
        accounts: new Accounts({
          ledger, durable, secrets, mode, config, apiKeys,
          throttle: { take: async () => {} }, mailer: { send: () => {} },
          earnings: { merge: (trial, account) => mergeTrial({ ledger, durable }, trial, account) },
        }),
        agents: new Agents({ ledger, durable, apiKeys }),
        refreshView: (account) => views.refresh(account).catch((error: Error) => {
          log.warn({ error: error.message }, 'an account\'s view is behind')
        }),
      })
    } catch (error) {
      throw error instanceof Refusal && error.error !== 'unavailable'
        ? new ConfigError(sentenceOf(error)) : error
    } finally {
      await views.close()
    }
  }))
}

export const viewsOf = ({ ledger, shelf, shelfUrl, secrets, log }: CommandContext): AccountViews =>
  new AccountViews({ ledger, shelf, shelfUrl, secrets, log })

export function assertTier(tier: string, what: string): void {
  const tiers = Object.keys(readTiers()).filter((name) => name !== 'keyless')
  if (!tiers.includes(tier)) throw new ConfigError(`${what} must be ${tiers.join(', ')}.`)
}

function sentenceOf({ error, message, detail }: Refusal): string {
  if (error === 'withdrawal_refused') return detail.hint ?? message
  if (error !== 'not_found') return message
  const into = detail['merged_into']
  return into === undefined ? 'There is no such account or agent.'
    : `This trial was merged into ${String(into)}: set the terms there.`
}

/** A command's answer: one line of JSON on standard output. */
export const print = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
