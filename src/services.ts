/** What operations work with. One object per node, made at boot; tests make their own. */
import type { ApiKeys } from './accounts/api-keys.ts'
import type { AccountServices } from './accounts/services.ts'
import type { Affiliate } from './affiliate/affiliate.ts'
import type { Config } from './config.ts'
import type { Earnings } from './earnings/earnings.ts'
import type { Events } from './events/events.ts'
import type { Quota } from './limits/quota.ts'
import type { Goods } from './goods/goods.ts'
import type { Secrets } from './secrets/derive.ts'
import type { Logger } from './log.ts'
import type { Carts } from './orders/carts.ts'
import type { Checkouts } from './orders/checkouts.ts'
import type { Orders } from './orders/orders.ts'
import type { RedisClient } from './redis/connect.ts'

export interface Services extends Omit<AccountServices, 'views'> {
  readonly config: Config
  readonly log: Logger
  readonly secrets: Secrets
  /** The server of the shelf that took writes when the node started; goods find their own. */
  readonly shelf: RedisClient
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly goods: Goods
  readonly orders: Orders
  /** Several lines that are ordered and paid together. */
  readonly checkouts: Checkouts
  /** Lines that may become one. */
  readonly carts: Carts
  readonly apiKeys: ApiKeys
  readonly earnings: Earnings
  /** What is told of them: the feed, and webhooks. */
  readonly events: Events
  /** The platforms, our own links to them, and their orders. */
  readonly affiliate: Affiliate
  /** Affiliate calls: take one unit before each call to a platform. */
  readonly quota: Quota
}
