/** `agentmall start`: brings what nodes need, starts them, and ends everything in order. */
import { once } from 'node:events'
import { ApiKeys, sandboxKey } from '../accounts/api-keys.ts'
import { banner } from './banner.ts'
import { MALL_NAMES } from '../../adapters/names.ts'
import { readMallSettings, type MallSettings } from '../affiliate/settings.ts'
import { withDeadline } from '../contract/time.ts'
import { ConfigError, readOptionalFile, type Config } from '../config.ts'
import { buildPage } from '../console/assets.ts'
import { portIsFree } from '../http/port.ts'
import type { Logger } from '../log.ts'
import type { OwnedRedis } from '../dev/redis/embedded.ts'
import { assertDurable } from '../redis/durability.ts'
import { assertFormat } from '../redis/format.ts'
import { openRoles, urlsOf, type RedisUrls } from '../redis/roles.ts'
import { openSecrets, readSecret } from '../secrets/open.ts'
import type { SandboxMalls } from './sandbox-malls.ts'
import { networkUrl } from './network.ts'
import { assertMode } from '../workers/ledger-mode.ts'
import { createSupervisor } from './supervisor.ts'
import { showProgress } from '../progress.ts'

/** Left to the nodes, beyond their own drain time, to close what they opened. */
const CLOSING_MS = 5000
/**
 * Left to a preparation that is cut off, to write the batch that it has begun and to give back the
 * catalogue's lease: the next start would wait a minute for that. A second Ctrl-C ends it at once.
 */
const GIVING_BACK_MS = 30_000

export async function start(config: Config, log: Logger): Promise<void> {
  if (config.port === 0 && config.nodes > 1) {
    throw new ConfigError('PORT must be given when NODES is more than 1.')
  }
  if (!await portIsFree(config.host, config.port)) {
    throw new ConfigError(`Port ${config.port} is in use: stop the other program, or set PORT.`)
  }
  const configured = readMallSettings(readOptionalFile(config.mallsFile), config.mallVariables)
  // Before anything slow: a Ctrl-C during the preparation must end it in order, too.
  const preparing = new AbortController()
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    .then(() => preparing.abort())
  const supervisor = createSupervisor(config.nodes, log)
  // Its code brings a dictionary along: it is loaded while Redis loads its data.
  const preparation = import('../goods/prepare.ts')
  const page = preparePage(config, log)
  let embedded: OwnedRedis | undefined
  let sandbox: SandboxMalls | undefined
  try {
    if (!config.redis) embedded = await startOwnRedis(config, log)
    const urls = config.redis ?? urlsOf(embedded)
    const prepared = await unlessAborted(preparing.signal,
      prepare(config, urls, preparation, log, preparing.signal))
    if (!prepared) return
    embedded?.keepRunning(async (role) => {
      if (role === 'shelf') await renewShelf(config, urls, log)
    })
    sandbox = config.sandbox ? await simulateMissing(configured, config) : undefined
    const malls = { ...configured, ...sandbox?.settings }
    await page
    const port = await supervisor.start({
      urls, secret: readSecret(config), malls, sandboxShops: sandbox?.shops ?? {},
      ...(embedded && { dataDir: config.dataDir }),
    })
    const publicUrl = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
    process.stdout.write(banner({
      ...prepared, publicUrl, nodes: config.nodes, networkUrl: networkUrl({ ...config, port }),
    }))
    await interrupted
    process.stdout.write('\nStopping: finishing what is in flight ...\n')
  } finally {
    await supervisor.drain(config.drainNoticeMs + config.drainMs + CLOSING_MS)
    await sandbox?.close()
    await embedded?.stop()
  }
}

/** Its code is loaded only where no setting names a Redis. */
async function startOwnRedis(config: Config, log: Logger): Promise<OwnedRedis> {
  const { startEmbeddedRedis } = await import('../dev/redis/embedded.ts')
  return await startEmbeddedRedis({ ...config, log })
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

/** The console needs it and nobody else does: without it agents are served all the same. */
async function preparePage({ cacheDir }: Config, log: Logger): Promise<void> {
  try {
    await buildPage(cacheDir, () => {
      process.stderr.write('Building the console (once) ...\n')
    })
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the console is not built')
  }
}

/** Undefined when it was aborted: then what it held is given back, while Redis is still there. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const aborted = once(signal, 'abort')
  await Promise.race([work.catch(() => undefined), aborted])
  if (!signal.aborted) return await work
  await withDeadline(work, GIVING_BACK_MS, () => new Error('late')).catch(() => undefined)
  return undefined
}

/** A shelf that ended by itself comes back as it was saved, or empty. */
async function renewShelf(config: Config, urls: RedisUrls, log: Logger): Promise<void> {
  const { prepareCatalogue } = await import('../goods/prepare.ts')
  const progress = Object.assign(() => undefined, { end: () => undefined })
  await prepareCatalogue({ urls, config, log, progress }).catch((error: Error) => {
    log.error({ error: error.message }, 'the shelf could not be renewed: rebuild it')
  })
}

const sayWaiting = (): void => {
  process.stderr.write('Another process is changing the catalogue, or was ended while it did: '
    + 'waiting until that is over (a minute at most after it was ended) ...\n')
}

/** What must be there before the first request: one secret, the catalogue, a key to try it with. */
async function prepare(
  config: Config, urls: RedisUrls, preparation: Promise<typeof import('../goods/prepare.ts')>,
  log: Logger, signal: AbortSignal,
) {
  // Nobody waits for an answer yet: a busy machine may take its time.
  const roles = await openRoles(urls, log, 'bulk')
  try {
    await assertFormat(roles.ledger)
    const secrets = await openSecrets(roles.ledger, readSecret(config))
    await assertMode(roles.ledger, config)
    await assertDurable(roles.ledger, config, log)
    const { prepareCatalogue } = await preparation
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
