/**
 * One node: everything wired together, listening; or the workers alone, in a process of their own.
 * Keeps nothing that another node needs.
 */
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import type { Config } from '../config.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import { createGate } from '../gate/gate.ts'
import { createLimits, type Limits } from '../limits/limits.ts'
import { tiersFor } from '../limits/tiers.ts'
import { createBoard, type Board } from '../goods/stock.ts'
import { errorReply } from '../http/envelope.ts'
import { listen } from '../http/listen.ts'
import { createRoutes } from './routes.ts'
import { createRejectUnrouted } from '../http/unrouted.ts'
import type { Logger, NodeLog } from '../log.ts'
import { createMetrics, type MetricsOptions } from '../metrics/metrics.ts'
import { isUnanswered } from '../redis/command-errors.ts'
import { openRedis } from '../redis/connect.ts'
import { openDoorbell, type Doorbell } from '../redis/doorbell.ts'
import { assertDurable } from '../redis/durability.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { channels } from '../redis/keys.ts'
import type { RedisUrls } from '../redis/roles.ts'
import { followOutbox } from '../redis/streams.ts'
import type { Services } from '../services.ts'
import { openTraces, type Traces } from '../traces/traces.ts'
import { createOrderMessages } from '../ucp/order-messages.ts'
import { startWorkers } from '../workers/index.ts'
import { startWorker } from '../workers/lease.ts'
import { shelfWorker } from '../workers/rebuild.ts'
import { type Connections, openConnections, type OnStop } from './connections.ts'
import { createReadiness, missingData } from './readiness.ts'
import { createServices } from './services.ts'

export interface Node {
  readonly port: number
  readonly services: Services
  /** Says that it is unready, stops accepting, finishes what is in flight, closes everything. */
  stop(): Promise<void>
}

/** What runs beside requests, where it has a process of its own. */
export interface WorkersOnly {
  /** Ends what is under way, gives the leases back, closes everything. */
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly config: Config
  readonly urls: RedisUrls
  readonly secret: string
  readonly malls: MallSettings
  readonly sandboxShops?: SandboxShops
  /** Of the Redis servers that `start` runs itself. */
  readonly dataDir?: string
  /** Whether another process of the same start runs the workers. */
  readonly hasOwnWorkers?: boolean
  /** Where other processes share the port: what all of them measured. */
  readonly askAll?: MetricsOptions['askAll']
  readonly log: NodeLog
}

const STARTING_MS_MAX = 60_000
const PAUSE_MS = 500

/**
 * A start asks Redis many things, and on a busy machine one of them misses the deadline that
 * requests have. Nobody waits for this node yet, so it begins again.
 */
export const startNode = (options: NodeOptions): Promise<Node> =>
  opening(options, async (opened, onStop) => {
    const doorbell = await followLedger(options, opened, onStop)
    if (!options.hasOwnWorkers) runWorkers(options, opened, doorbell, onStop)
    return { port: await serve(options, opened, onStop), services: opened.services }
  })

export const startWorkersOnly = (options: NodeOptions): Promise<WorkersOnly> =>
  opening(options, async (opened, onStop) => {
    const doorbell = openDoorbell(opened.connections.following, options.log)
    onStop(() => doorbell.close())
    runWorkers(options, opened, doorbell, onStop)
    return {}
  })

async function opening<T>(
  options: NodeOptions, begin: (opened: Opened, onStop: OnStop) => Promise<T>,
): Promise<T & WorkersOnly> {
  const end = monotonicMs() + STARTING_MS_MAX
  for (;;) {
    const { onStop, stop } = closeInOrder()
    try {
      return { ...await begin(await open(options, onStop), onStop), stop }
    } catch (error) {
      // Why it did not start says more than what could not be closed after that.
      await stop().catch(() => undefined)
      if (!isUnanswered(error) || monotonicMs() > end) throw error
      const { message } = error as Error
      options.log.warn({ error: message }, 'Redis was too slow for the start of a node: once more')
      await sleep(PAUSE_MS)
    }
  }
}

async function open(options: NodeOptions, onStop: OnStop): Promise<Opened> {
  const { config, urls, secret, malls, sandboxShops = {}, log } = options
  const traces = await openTraces(config)
  onStop(() => traces?.close())
  const connections = await openConnections(urls, traces, log, onStop)
  await assertDurable(connections.ledger, config, log)
  const durable = openDurable(options, connections, traces, onStop)
  const limits = createLimits(connections.counters, tiersFor(config), log)
  const board = createBoard(connections.following)
  const services = await createServices({
    config, secret, malls, sandboxShops, connections, durable, limits, board, traces, log,
  }, onStop)
  return { connections, durable, limits, board, services, traces }
}

/** Closes what was opened, the last first, even where one of them fails. */
function closeInOrder(): { onStop: OnStop, stop: () => Promise<void> } {
  const opened: (() => unknown)[] = []
  return {
    onStop: (close) => { opened.push(close) },
    async stop() {
      const failures: unknown[] = []
      for (const close of opened.splice(0).toReversed()) {
        try {
          await close()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

function openDurable(
  { config, log }: NodeOptions, { writes }: Connections, traces: Traces | undefined,
  onStop: OnStop,
): Durable {
  const commits = createDurable({
    client: writes, replicas: config.ledgerReplicas, replicasMin: config.ledgerReplicasMin,
    log, patienceMs: config.requestDeadlineMs,
  })
  const durable = traces?.durable(commits) ?? commits
  onStop(() => durable.close())
  return durable
}

interface Opened {
  readonly connections: Connections
  readonly durable: Durable
  readonly limits: Limits
  readonly board: Board
  readonly services: Services
  readonly traces: Traces | undefined
}

/** What answers are made from and others change: the stock board, void keys. */
async function followLedger(
  { urls, log }: NodeOptions, { connections: { following }, board, services }: Opened,
  onStop: OnStop,
): Promise<Doorbell> {
  const doorbell = openDoorbell(following, log)
  onStop(() => doorbell.close())
  const followed = await followOutbox({ ledger: following, doorbell, follower: board, log })
  onStop(() => followed.stop())
  onStop(forgetChangedKeys(services, urls.ledger))
  return doorbell
}

function runWorkers(
  { urls, sandboxShops = {}, log }: NodeOptions,
  { connections: { following, counters }, durable, services }: Opened, doorbell: Doorbell,
  onStop: OnStop,
): void {
  const workers = startWorkers({
    ...services, ledger: following, durable, doorbell, sandboxShops,
    platforms: createOrderMessages(services),
  })
  onStop(() => workers.stop())
  onStop(listenTo(channels.webhookNews, urls.counters, log,
    (shard) => workers.wakeWebhooks(Number(shard))))
  const keeper = startWorker(shelfWorker({ urls, goods: services.goods, log }), { counters, log })
  onStop(() => keeper.stop())
}

/** Listens, and returns the port. */
async function serve(
  { config, sandboxShops = {}, dataDir, askAll, log }: NodeOptions,
  { connections, services, limits, traces }: Opened, onStop: OnStop,
): Promise<number> {
  const { ledger, counters, following } = connections
  const untraced = createGate(services, limits)
  const gate = traces?.gate(untraced) ?? untraced
  let isStopping = false
  const unready = createReadiness(services, () => isStopping, () => missingData(dataDir))
  const { read: readMetrics } = createMetrics({
    ledger: following, log, replicas: config.ledgerReplicas, askAll,
    memory: { redis: { ledger, shelf: services.shelf, counters }, dataDir: config.dataDir },
  })
  const routes = createRoutes({ services, gate, limits, sandboxShops, unready, readMetrics })
  const listener = await listen({
    ...config,
    routes: traces?.routes(routes) ?? routes,
    log,
    isShared: config.nodes > 1,
    onError: (error, request) => errorReply(error, request.id, request.limits),
    rejectUnrouted: createRejectUnrouted(gate, config),
  })
  onStop(() => {
    isStopping = true
    return listener.close()
  })
  return listener.port
}

/** Another node changed a key: what is cached of it here is void. */
const forgetChangedKeys = ({ apiKeys, log }: Services, url: string): () => void =>
  listenTo(channels.keyChanged, url, log, (hash) => apiKeys.forget(hash))

/** Messages of a channel; what is lost costs only time. The result ends it. */
function listenTo(
  channel: string, url: string, log: Logger, onMessage: (message: string) => void,
): () => void {
  const bell = openRedis(url, log, 'subscribe')
  bell.on('ready', () => {
    bell.subscribe(channel).catch((error: Error) =>
      log.warn({ channel, error: error.message }, 'messages are not heard: this costs time'))
  })
  bell.on('message', (_channel: string, message: string) => onMessage(message))
  return () => bell.disconnect()
}
