/** Products and a part of a node that sells them, for tests of orders over the run's Redis. */
import { randomInt, randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { skuIdOf } from '../contract/ids.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger, type Logger } from '../log.ts'
import { serviceMode, type Mode } from '../contract/money.ts'
import type { OrderCaps } from '../limits/tiers.ts'
import type { OrderArchive } from '../orders/archive/archive.ts'
import { type Checkouts, createCheckouts } from '../orders/checkouts.ts'
import { CappedOrders } from '../orders/open-orders.ts'
import { createOrders, type Orders, type OrdersOptions } from '../orders/orders.ts'
import type { PlaceInput } from '../orders/place-order.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'

export interface Product {
  readonly productId: number
  readonly partition: number
  readonly merchantId: number
  readonly price: number
  readonly cap: number
  readonly stock: number
  readonly freight: number
  readonly freeShipThreshold: number
}

export const RECEIVER = {
  name: '欧阳测试', phone: '13912345678', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路478号3幢201室',
}

export const SHOP_SECRET = 'a-secret-that-only-order-tests-use-0001'

/** A product of its own for each test: the ledger is shared between test files. */
export async function supplyProduct(
  ledger: RedisClient, given: Partial<Product> = {}, facts: Record<string, string | number> = {},
): Promise<Product> {
  const productId = given.productId ?? randomInt(1_000_000_000, 9_999_999_999)
  const partition = partitionOf(productId)
  const product: Product = {
    merchantId: 1001, price: 1990, cap: 99, stock: 10, freight: 600, freeShipThreshold: 5000,
    ...given, productId, partition,
  }
  await ledger.hset(keys.sku(productId), {
    supply: 'own', sku_id: skuIdOf(productId), title: `测试商品 ${productId}`,
    merchant_id: product.merchantId, retail_price: product.price, qty_cap: product.cap,
    freight: product.freight, free_ship_threshold: product.freeShipThreshold,
    ship_within_hours: 24, category_id: 1, ...facts,
  })
  await ledger.hset(keys.stock(partition), productId, product.stock)
  await ledger.hset(keys.supplied(partition), productId, product.stock)
  return product
}

export const stockOf = async (ledger: RedisClient, { partition, productId }: Product) =>
  Number(await ledger.hget(keys.stock(partition), String(productId)))

/** An attempt to buy; every call is a new business action. */
export const attemptAt = (product: Product, given: Partial<PlaceInput> = {}): PlaceInput => ({
  idempotency_key: randomUUID(), merchant_id: product.merchantId, product_id: product.productId,
  qty: 1, receiver: RECEIVER, ...given,
})

export const newBuyer = () => ({ agent: `ag_${randomUUID()}`, account: `ac_${randomUUID()}` })

/** What a call was refused with; fails where it was not, and lets other errors through. */
export const refusalOf = (work: Promise<unknown>) => work.then(
  () => { throw new Error('It was not refused.') },
  (error: unknown) => {
    if (error instanceof Refusal) return { error: error.error, ...error.detail }
    throw error
  })

export interface Shop {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly orders: Orders
  readonly checkouts: Checkouts
  readonly log: Logger
  readonly mode: Mode
  close(): void
}

/** As on a cluster, where no script may change keys of several slots. */
export const inTwoRounds = (durable: Durable): Durable => ({ ...durable, isOneServer: false })

/** Orders as a node has them; two shops are two nodes. */
export async function openShop(
  given: Partial<OrdersOptions['config']> = {},
  options: {
    url?: string, replicas?: number, replicasMin?: number, patienceMs?: number,
    batchMax?: number, log?: Logger, caps?: OrderCaps, archive?: OrderArchive,
    wrap?: (durable: Durable) => Durable
  } = {},
): Promise<Shop> {
  const url = options.url ?? inject('redis').ledgerUrl
  const log = options.log ?? createLogger('silent')
  const [ledger, writes] = [openRedis(url, log), openRedis(url, log)]
  await Promise.all([ledger, writes].map((client) => untilReady(client, 'ledger')))
  const lanes = createDurable({
    client: writes, replicas: options.replicas ?? 0, log,
    ...(options.batchMax !== undefined && { batchMax: options.batchMax }),
    ...(options.replicasMin !== undefined && { replicasMin: options.replicasMin }),
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  })
  const durable = options.wrap?.(lanes) ?? lanes
  const config = {
    publicUrl: 'http://mall.test', paymentWindowMs: 1_800_000, sandbox: true,
    // So slow that no other test's node moves an order under the hands of the test.
    sandboxStepMs: 600_000, sandboxCompleteMs: 600_000, completeMs: 604_800_000,
    returnFreight: 1000, unpaidKeptMs: 2_592_000_000, ...given,
  }
  const secrets = createSecrets(SHOP_SECRET)
  const orders = createOrders({
    ledger, durable, config, log, secrets, archive: options.archive,
    ...(options.caps && {
      openOrders: new CappedOrders({
        counters: ledger, capsOf: () => options.caps as OrderCaps, groupOf: (address) => address,
        windowMs: config.paymentWindowMs, log,
      }),
    }),
  })
  const checkouts = createCheckouts({
    ledger, durable, secrets, orders, publicUrl: config.publicUrl,
  })
  return {
    ledger, durable, orders, checkouts, log, mode: serviceMode(config),
    close() {
      ledger.disconnect()
      lanes.close()
    },
  }
}
