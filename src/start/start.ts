/** `agentmall start`: brings what nodes need, starts them, and ends everything in order. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { banner } from './banner.ts'
import { ConfigError, type Config } from '../config.ts'
import { pageFolder } from '../console/assets.ts'
import { portIsFree } from '../http/port.ts'
import type { Logger } from '../log.ts'
import type { OwnedRedis } from '../dev/redis/embedded.ts'
import { urlsOf, type RedisUrls } from '../redis/roles.ts'
import { CLI, command, endAll, forkSelf } from './fork.ts'
import { networkUrl } from './network.ts'
import type { PreparationOrders, Prepared } from './preparation.ts'
import { createSupervisor } from './supervisor.ts'

/** Left to the nodes, beyond their own drain time, to close what they opened. */
const CLOSING_MS = 5000
/**
 * Left to a preparation that is cut off, to write the batch that it has begun and to give back the
 * catalogue's lease: the next start would wait a minute for that. A second Ctrl-C ends it at once.
 */
const GIVING_BACK_MS = 30_000
/** A deadline for hangs: the console's first build on a busy machine. */
const BUILD_MS_MAX = 300_000

export async function start(config: Config, log: Logger): Promise<void> {
  if (config.port === 0 && config.nodes > 1) {
    throw new ConfigError('PORT must be given when NODES is more than 1.')
  }
  if (!await portIsFree(config.host, config.port)) {
    throw new ConfigError(`Port ${config.port} is in use: stop the other program, or set PORT.`)
  }
  // Before anything slow: a Ctrl-C during the preparation must end it in order, too.
  const interrupted = interruption()
  // Both load their code while Redis loads its data.
  const preparation = forkPreparation(log)
  const supervisor = createSupervisor({
    nodes: config.nodes, hasOwnWorkers: config.workers === 'own',
  }, log)
  const page = preparePage(config, log)
  let embedded: OwnedRedis | undefined
  try {
    if (!config.redis) embedded = await startOwnRedis(config, log)
    const urls = config.redis ?? urlsOf(embedded)
    const preparing = preparation.run({ urls })
    const prepared = await Promise.race([preparing, interrupted.then(() => undefined)])
    if (!prepared) return
    embedded?.keepRunning(async (role) => {
      if (role === 'shelf') await renewShelf(urls, log)
    })
    await page
    const { items, sandboxKey, ...known } = prepared
    const port = await supervisor.start({
      urls, ...known,
      ...(embedded && { dataDir: config.dataDir }),
    })
    const publicUrl = config.port === 0 ? `http://localhost:${port}` : config.publicUrl
    process.stdout.write(banner({
      items, sandboxKey, publicUrl, nodes: config.nodes,
      networkUrl: networkUrl({ ...config, port }),
    }))
    await interrupted
    process.stdout.write('\nStopping: finishing what is in flight ...\n')
  } finally {
    await supervisor.drain(config.drainNoticeMs + config.drainMs + CLOSING_MS)
    await preparation.stop()
    await embedded?.stop()
  }
}

/** npm passes on to its child a Ctrl-C that the terminal has sent to both. */
const SAME_SIGNAL_MS = 1000

/** Afterwards a signal ends the process as it ends any other. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const
    const stop = (): void => {
      resolve()
      setTimeout(() => { for (const signal of signals) process.off(signal, stop) }, SAME_SIGNAL_MS)
        .unref()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

interface Preparation {
  run(orders: PreparationOrders): Promise<Prepared>
  /** Ends the preparation that is under way, or the simulated platforms. */
  stop(): Promise<void>
}

function forkPreparation(log: Logger): Preparation {
  const child = forkSelf('prepare')
  let isStopping = false
  return {
    async run(orders) {
      const prepared = await command<Prepared>(child, orders, 'The preparation')
      child.on('exit', (code, signal) => {
        if (isStopping || Object.keys(prepared.sandboxShops).length === 0) return
        log.error({ code, signal }, 'the simulated platforms ended: start the service again')
      })
      return prepared
    },
    async stop() {
      isStopping = true
      await endAll([child], (one) => one.disconnect(), GIVING_BACK_MS)
    },
  }
}

/** Its code is loaded only where no setting names a Redis. */
async function startOwnRedis(config: Config, log: Logger): Promise<OwnedRedis> {
  const { startEmbeddedRedis } = await import('../dev/redis/embedded.ts')
  return await startEmbeddedRedis({ ...config, log })
}

/** The console needs it and nobody else does: without it agents are served all the same. */
async function preparePage({ cacheDir }: Config, log: Logger): Promise<void> {
  if (existsSync(pageFolder(cacheDir))) return
  process.stderr.write('Building the console (once) ...\n')
  try {
    await promisify(execFile)(process.execPath, [CLI, 'console', 'build'], {
      timeout: BUILD_MS_MAX, killSignal: 'SIGKILL',
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    log.error({ error: stderr || message }, 'the console is not built')
  }
}

/** A shelf that ended by itself comes back as it was saved, or empty. */
async function renewShelf(urls: RedisUrls, log: Logger): Promise<void> {
  const renewal = forkPreparation(log)
  await renewal.run({ urls, isShelfOnly: true }).catch((error: Error) => {
    log.error({ error: error.message }, 'the shelf could not be renewed: rebuild it')
  })
  await renewal.stop()
}
