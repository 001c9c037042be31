/**
 * A process that prepares what nodes need before the first of them serves, and then plays the
 * platforms that no operator configured. Goods, their generator and the simulators are loaded here,
 * so that the parent stays small and its supervision waits for nothing.
 */
import { once } from 'node:events'
import { MALL_NAMES } from '../../adapters/names.ts'
import { ApiKeys, sandboxKey, type SandboxKey } from '../accounts/api-keys.ts'
import { readMallSettings, type MallSettings } from '../affiliate/settings.ts'
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import { readConfig, readOptionalFile, type Config } from '../config.ts'
import { sentenceOf } from '../failure.ts'
import { prepareCatalogue } from '../goods/prepare.ts'
import { createLogger, type Logger } from '../log.ts'
import { showProgress } from '../progress.ts'
import { unavailableSentence } from '../redis/command-errors.ts'
import { assertDurable } from '../redis/durability.ts'
import { assertFormat } from '../redis/format.ts'
import { openRoles, type RedisUrls } from '../redis/roles.ts'
import { openSecrets, readSecret } from '../secrets/open.ts'
import { assertMode } from '../workers/ledger-mode.ts'
import type { Failure } from './fork.ts'
import type { SandboxMalls } from './sandbox-malls.ts'

export interface PreparationOrders {
  readonly urls: RedisUrls
  /** The shelf of a service that serves already came back empty: nothing else is prepared. */
  readonly isShelfOnly?: boolean
}

/** What nodes and the banner are told. */
export interface Prepared {
  readonly items: number
  readonly sandboxKey: SandboxKey | undefined
  readonly secret: string
  readonly malls: MallSettings
  readonly sandboxShops: SandboxShops
}

/** Ends with its parent's channel, in order. */
export async function runPreparation(): Promise<void> {
  if (!process.send) throw new Error('This is started by `agentmall start`.')
  // Ctrl-C reaches the whole group; the parent decides.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
  const stopping = new AbortController()
  const stopped = once(process, 'disconnect').then(() => stopping.abort())
  const ordered = await Promise.race([once(process, 'message'), stopped])
  if (!ordered) return
  const config = readConfig()
  const log = createLogger(config.logLevel)
  try {
    const [orders] = ordered as [PreparationOrders]
    const { prepared, sandbox } = await prepare(orders, config, log, stopping.signal)
    process.send(prepared)
    if (sandbox) await stopped.then(() => sandbox.close())
  } catch (error) {
    log.debug({ error }, 'preparation failed')
    const sentence = sentenceOf(error) ?? unavailableSentence(error)
    const failure: Failure = {
      failed: sentence ?? (error as Error).message, isKnown: sentence !== undefined,
    }
    if (process.connected) process.send(failure)
  }
  if (process.connected) process.disconnect()
}

async function prepare(
  { urls, isShelfOnly = false }: PreparationOrders, config: Config, log: Logger,
  signal: AbortSignal,
): Promise<{ readonly prepared: Prepared, readonly sandbox?: SandboxMalls | undefined }> {
  if (isShelfOnly) {
    const progress = Object.assign(() => undefined, { end: () => undefined })
    const items = await prepareCatalogue({ urls, config, log, progress, signal })
    return {
      prepared: {
        items, sandboxKey: undefined, secret: readSecret(config), malls: {}, sandboxShops: {},
      },
    }
  }
  const configured = readMallSettings(readOptionalFile(config.mallsFile), config.mallVariables)
  const inLedger = await prepareLedger(urls, config, log, signal)
  const sandbox = config.sandbox ? await simulateMissing(configured, config) : undefined
  const malls = { ...configured, ...sandbox?.settings }
  return {
    prepared: {
      ...inLedger, secret: readSecret(config), malls, sandboxShops: sandbox?.shops ?? {},
    },
    sandbox,
  }
}

/** One secret, the catalogue, a key to try it with. */
async function prepareLedger(
  urls: RedisUrls, config: Config, log: Logger, signal: AbortSignal,
): Promise<Pick<Prepared, 'items' | 'sandboxKey'>> {
  // Nobody waits for an answer yet: a busy machine may take its time.
  const roles = await openRoles(urls, log, 'bulk')
  try {
    await assertFormat(roles.ledger)
    const secrets = await openSecrets(roles.ledger, readSecret(config))
    await assertMode(roles.ledger, config)
    await assertDurable(roles.ledger, config, log)
    const items = await prepareCatalogue({
      urls, config, log, progress: showProgress(), onWait: sayWaiting, signal,
    })
    const apiKeys = new ApiKeys({
      ledger: roles.ledger, secrets, log, takeTrial: async () => undefined,
    })
    const key = config.sandbox ? await sandboxKey(apiKeys, config.dataDir) : undefined
    return { items, sandboxKey: key }
  } finally {
    roles.close()
  }
}

/** Platforms without settings are simulated; that code is loaded only where there are such. */
async function simulateMissing(
  configured: MallSettings, config: Config,
): Promise<SandboxMalls | undefined> {
  const missing = MALL_NAMES.filter((name) => configured[name] === undefined)
  if (missing.length === 0) return undefined
  const { startSandboxMalls } = await import('./sandbox-malls.ts')
  return await startSandboxMalls({
    missing, seed: config.catalogSeed, items: config.catalogItems, publicUrl: config.publicUrl,
    stepMs: config.sandboxStepMs,
  })
}

const sayWaiting = (): void => {
  process.stderr.write('Another process is changing the catalogue, or was ended while it did: '
    + 'waiting until that is over (a minute at most after it was ended) ...\n')
}
