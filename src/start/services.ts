/** Everything that operations and pages work with, made once for a node. */
import { ApiKeys } from '../accounts/api-keys.ts'
import { createAccountServices } from '../accounts/services.ts'
import { createAffiliate } from '../affiliate/affiliate.ts'
import { NO_SHOP_PAGES, type SandboxShops, type ShopPages } from '../affiliate/shop-pages.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import type { Config } from '../config.ts'
import { createEarnings } from '../earnings/earnings.ts'
import { Events } from '../events/events.ts'
import { addressGroup, type Limits } from '../limits/limits.ts'
import { createQuota } from '../limits/quota.ts'
import { createThrottle } from '../limits/throttle.ts'
import { tierOf } from '../limits/tiers.ts'
import type { Board } from '../goods/stock.ts'
import { createGoods } from '../goods/goods.ts'
import type { Logger } from '../log.ts'
import { createMailer } from '../mail/mailer.ts'
import { serviceMode } from '../contract/money.ts'
import { CappedOrders } from '../orders/open-orders.ts'
import { Carts } from '../orders/carts.ts'
import { createCheckouts } from '../orders/checkouts.ts'
import { openOrderArchive } from '../orders/archive/archive.ts'
import { createOrders } from '../orders/orders.ts'
import { openProvider } from '../orders/payment-provider.ts'
import type { Durable } from '../redis/durable.ts'
import { assertFormat } from '../redis/format.ts'
import { openSecrets } from '../secrets/open.ts'
import type { Services } from '../services.ts'
import type { Traces } from '../traces/traces.ts'
import type { Connections, OnStop } from './connections.ts'

export interface ServicesOptions {
  readonly config: Config
  /** A value of SECRET. */
  readonly secret: string
  readonly malls: MallSettings
  readonly sandboxShops: SandboxShops
  readonly connections: Connections
  readonly durable: Durable
  readonly limits: Limits
  readonly board: Board
  readonly traces: Traces | undefined
  readonly log: Logger
}

export async function createServices(
  options: ServicesOptions, onStop: OnStop,
): Promise<Services> {
  const { config, malls, sandboxShops, connections, durable, limits, board, traces, log } = options
  const { ledger, counters, shelf, shelfUrl, shelves: [configured, ...replicas] } = connections
  await assertFormat(ledger)
  const secrets = await openSecrets(ledger, options.secret)
  const quota = createQuota({ durable, tiers: limits.tiers, log })
  onStop(() => quota.close())
  const apiKeys = new ApiKeys({
    ledger, durable, secrets, log,
    takeTrial: (address) => limits.takeTrial(address, config),
  })
  const mode = serviceMode(config)
  const events = new Events({ ledger, counters, durable, secrets, mode, config })
  onStop(() => events.close())
  const earnings = createEarnings({ ledger, durable, secrets, mode }, events.ringFollowers)
  const mailer = createMailer(config, log)
  onStop(() => mailer.close())
  const { views, ...people } = createAccountServices({
    ledger, counters, shelf, shelfUrl, durable, secrets, apiKeys, earnings, mode,
    config, mailer, throttle: createThrottle(counters, log), log,
  })
  onStop(() => views.close())
  // Before it listens: else whoever takes the first trial key stops all others meanwhile.
  await views.load()
  const provider = openProvider(config)
  onStop(() => provider?.close())
  const orders = createOrders({
    ledger, durable, secrets, config, provider, log, archive: openOrderArchive(config),
    openOrders: new CappedOrders({
      counters, capsOf: (tier) => tierOf(limits.tiers, '', tier)[1].orders ?? {},
      groupOf: addressGroup, windowMs: config.paymentWindowMs, log,
    }),
  })
  const checkouts = createCheckouts({
    ledger, durable, secrets, orders, publicUrl: config.publicUrl,
  })
  const carts = new Carts({ ledger, durable, secrets, checkouts })
  const shopPages = await openShopPages(sandboxShops, config)
  const goods = await createGoods({
    shelf: configured, replicas, ledger, board, publicUrl: config.publicUrl, log,
    mallItemUrl: shopPages.ofProduct,
  })
  onStop(goods.close)
  const affiliate = createAffiliate({
    settings: malls, shopPages, config, ledger, durable, counters, quota, goods, log, secrets,
    tiers: limits.tiers,
    observe: traces?.mallCall,
  })
  onStop(() => affiliate.close())
  return {
    config, log, secrets, shelf, ledger, counters, goods, orders, checkouts, carts, apiKeys,
    affiliate, quota,
    earnings, events, ...people,
  }
}

/** Real malls have pages of their own: nothing of the simulated ones' is loaded for them. */
async function openShopPages(
  shops: SandboxShops, { publicUrl, catalogSeed: seed }: Config,
): Promise<ShopPages> {
  if (Object.keys(shops).length === 0) return NO_SHOP_PAGES
  const { createShopPages } = await import('../affiliate/sandbox-shops.ts')
  return createShopPages({ shops, publicUrl, seed })
}
