/** One node: everything wired together, listening. Keeps nothing that another node needs. */
import { createAccounts } from '../accounts/keys.ts'
import { createAccountServices } from '../accounts/services.ts'
import { createAffiliate } from '../affiliate/affiliate.ts'
import type { SandboxShops } from '../affiliate/links.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import type { Config } from '../config.ts'
import { createEarnings } from '../earnings/earnings.ts'
import { createGate } from '../gate/invoke.ts'
import { createLimits } from '../gate/limits.ts'
import { createQuota } from '../gate/quota.ts'
import { createThrottle } from '../gate/throttle.ts'
import { createBoard } from '../goods/board.ts'
import { createGoods } from '../goods/goods.ts'
import { errorReply } from '../http/envelope.ts'
import { listen } from '../http/listen.ts'
import { createRoutes } from '../http/server.ts'
import { createTurnAway } from '../http/turn-away.ts'
import { createSecrets } from '../ids.ts'
import type { Logger } from '../log.ts'
import { createMetrics, type MetricsOptions } from '../metrics/metrics.ts'
import { createOrders } from '../orders/orders.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { openDoorbell } from '../redis/doorbell.ts'
import { assertDurable } from '../redis/durability.ts'
import { createDurable } from '../redis/durable.ts'
import { channels } from '../redis/keys.ts'
import { openReaders, urlOfShelf, type RedisUrls } from '../redis/roles.ts'
import { primaryShelf } from '../redis/shelf.ts'
import { followOutbox } from '../redis/streams.ts'
import { assertSameSecret } from '../secret.ts'
import type { Services } from '../services.ts'
import { openTraces } from '../traces/traces.ts'
import { startWorkers } from '../workers/index.ts'
import { createReadiness } from './readiness.ts'

export interface Node {
  readonly port: number
  readonly services: Services
  /** Says that it is unready, stops accepting, finishes what is in flight, closes everything. */
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly config: Config
  readonly urls: RedisUrls
  readonly secret: string
  readonly malls: MallSettings
  readonly sandboxShops?: SandboxShops
  /** Where other processes share the port: what all of them measured. */
  readonly askAll?: MetricsOptions['askAll']
  readonly log: Logger
}

export async function startNode(options: NodeOptions): Promise<Node> {
  const { config, urls, secret, malls, sandboxShops = {}, askAll, log } = options
  /** What was opened, to be closed in the opposite order. */
  const opened: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const close of opened.splice(0).toReversed()) await close()
  }
  try {
    const traces = await openTraces(config)
    opened.push(() => traces?.close())
    const roles = await openReaders(urls, log)
    opened.push(roles.close)
    const { ledger, counters, shelves } = roles
    for (const client of shelves) traces?.redis(client, 'shelf')
    traces?.redis(ledger, 'ledger')
    traces?.redis(counters, 'counters')
    const [configured, ...replicas] = shelves as [RedisClient, ...RedisClient[]]
    // Without one that takes writes a node still reads.
    const shelf = await primaryShelf(shelves).catch(() => configured)
    const shelfUrl = urlOfShelf(urls, shelves.indexOf(shelf))
    // Order writes have a connection of their own: a WAIT holds up whatever stands behind it.
    const writes = openRedis(urls.ledger, log, 'commands', 'ledger')
    // Boards and workers read in large pieces, which must not delay anybody's request.
    const following = openRedis(urls.ledger, log, 'bulk', 'ledger')
    opened.push(() => [writes, following].forEach((client) => client.disconnect()))
    await Promise.all([writes, following].map((client) => untilReady(client, 'ledger')))

    const secrets = createSecrets(secret)
    await assertSameSecret(ledger, secrets)
    await assertDurable(ledger, config, log)
    const commits = createDurable({
      client: writes, replicas: config.ledgerReplicas, log, patienceMs: config.requestDeadlineMs,
    })
    const durable = traces?.durable(commits) ?? commits
    opened.push(() => durable.close())
    const limits = createLimits(counters, undefined, log)
    const quota = createQuota({ durable, tiers: limits.tiers, log })
    opened.push(() => quota.close())
    const accounts = createAccounts({
      ledger, durable, secrets, log,
      takeTrial: (address) => limits.takeDaily('trial-keys', address, config.trialKeysPerDay),
    })
    const earnings = createEarnings({ ledger, durable, secrets })
    const { views, ...people } = createAccountServices({
      ledger, counters, shelf, shelfUrl, durable, secrets, accounts, earnings,
      publicUrl: config.publicUrl, throttle: createThrottle(counters, log), log,
    })
    opened.push(() => views.close())
    const orders = createOrders({ ledger, durable, secrets, config, log })
    const board = createBoard(following)
    const goods = await createGoods({
      shelf: configured, replicas, board, publicUrl: config.publicUrl, log,
    })
    opened.push(goods.close)
    const affiliate = createAffiliate({
      settings: malls, sandboxShops, config, ledger, counters, quota, goods, log,
      observe: traces?.mallCall,
    })
    opened.push(() => affiliate.close())
    const services: Services = {
      config, log, secrets, shelf, ledger, counters, goods, orders, accounts, affiliate, quota,
      earnings, ...people,
    }

    const doorbell = openDoorbell(following, log)
    opened.push(() => doorbell.close())
    const followed = await followOutbox({ ledger: following, doorbell, follower: board, log })
    opened.push(() => followed.stop())
    opened.push(forgetChangedKeys(services, urls.ledger))
    const workers = startWorkers({ ...services, ledger: following, durable, doorbell })
    opened.push(() => workers.stop())

    const untraced = createGate(services, limits)
    const gate = traces?.gate(untraced) ?? untraced
    let isStopping = false
    const routes = createRoutes({
      services, gate, limits, unready: createReadiness(services, () => isStopping),
      readMetrics: createMetrics({ ledger: following, log, askAll }).read,
    })
    const listener = await listen({
      ...config,
      routes: traces?.routes(routes) ?? routes,
      log,
      isShared: config.nodes > 1,
      onError: (error, request) => errorReply(error, request.id, request.limits),
      turnAway: createTurnAway(gate),
    })
    opened.push(() => {
      isStopping = true
      return listener.close()
    })
    return { port: listener.port, services, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Another node changed a key: what is cached of it here is void. */
function forgetChangedKeys({ accounts, log }: Services, url: string): () => void {
  const bell = openRedis(url, log, 'subscribe')
  bell.on('ready', () => {
    bell.subscribe(channels.keyChanged).catch((error: Error) =>
      log.warn({ error: error.message }, 'key messages are not heard: keys expire by themselves'))
  })
  bell.on('message', (_channel: string, hash: string) => accounts.forget(hash))
  return () => bell.disconnect()
}
