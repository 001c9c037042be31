import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { ledger as keys } from '../redis/keys.ts'
import { slotOf } from '../redis/send.ts'
import { openSecrets } from '../secrets/open.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, supplyProduct, type Shop,
} from '../testing/products.ts'
import { deadLetters, retryDeadLetters } from '../workers/dead-letters.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { outboxState } from '../workers/outboxes.ts'
import { rebuildOrders } from '../workers/rebuild.ts'
import { resealAll } from '../workers/reseal.ts'
import { verifyLedger } from './verify.ts'

const log = createLogger('silent')
const secrets = createSecrets(SHOP_SECRET)
let cluster: OwnCluster
let shop: Shop
let brief: Shop
beforeAll(async () => {
  cluster = await startOwnCluster()
  shop = await openShop({}, { url: cluster.url, replicas: 1, patienceMs: PATIENCE_MS })
  brief = await openShop({ paymentWindowMs: 1 }, { url: cluster.url, replicas: 1 })
})
afterAll(async () => {
  shop.close()
  brief.close()
  await cluster.remove()
})

const verify = () => verifyLedger({ ledger: shop.ledger, secrets, log })

async function settle(ticks = 6): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, restMs: 0, sweepMs: 0 })
  await worker.begin?.()
  for (let tick = 0; tick < ticks; tick += 1) await worker.tick()
}

test('a healthy cluster has no violation, a broken one is found out on every master', async () => {
  await Promise.all(everyPath().map(({ path }) => orderAlong(shop, brief, path)))
  await settle()
  const { checked, violations } = await verify()
  expect(violations).toEqual([])
  expect(checked['orders']).toBe(everyPath().length)
  const products = await Promise.all(Array.from({ length: 12 }, () => supplyProduct(shop.ledger)))
  for (const { partition, productId } of products) {
    await shop.ledger.hincrby(keys.stock(partition), String(productId), 1)
  }
  expect((await verify()).violations.map(({ subject }) => subject).toSorted())
    .toEqual(products.map(({ productId }) => String(productId)).toSorted())
  for (const { partition, productId } of products) {
    await shop.ledger.hincrby(keys.stock(partition), String(productId), -1)
  }
})

test('every master\'s receivers are sealed anew under a next secret', async () => {
  const { ledger, durable } = shop
  const next = await openSecrets(ledger, `${'n'.repeat(32)},${SHOP_SECRET}`)
  const unopened = async () =>
    (await verify()).violations.filter(({ invariant }) => invariant === 'sealed')
  expect(await unopened()).toEqual([])
  const { checked } = await verify()
  expect(await resealAll({ ledger, durable, secrets: next }))
    .toMatchObject({ receivers: checked['orders'], unreadable: 0 })
  expect(await unopened()).toHaveLength(checked['orders'] ?? 0)
  const back = createSecrets(`${SHOP_SECRET},${'n'.repeat(32)}`)
  expect(await resealAll({ ledger, durable, secrets: back })).toMatchObject({ unreadable: 0 })
  expect((await verify()).violations).toEqual([])
})

test('while slots move and orders flow there is no false alarm', async () => {
  const products = await Promise.all(Array.from({ length: 4 }, () =>
    supplyProduct(shop.ledger, { stock: 1000 })))
  const state = { isOver: false }
  const buying = Promise.all(products.map(async (product) => {
    while (!state.isOver) {
      const { order_no } = await shop.orders.place(attemptAt(product), newBuyer())
      await shop.orders.move('cancel', order_no)
    }
  }))
  const moving = (async () => {
    for (const product of products) {
      const slot = slotOf(keys.stock(product.partition))
      const owner = await cluster.masterOf(slot)
      const other = (await cluster.masters()).find(({ name }) => name !== owner.name)
      if (other) await cluster.moveSlot(slot, other)
    }
  })()
  expect((await verify()).violations).toEqual([])
  await moving
  state.isOver = true
  await buying
  expect((await verify()).violations).toEqual([])
})

test('lists are rebuilt, and events set aside are retried, on whichever master', async () => {
  const placed = await Promise.all(Array.from({ length: 8 }, async () => {
    const [product, buyer] = [await supplyProduct(shop.ledger), newBuyer()]
    const { order_no } = await shop.orders.place(attemptAt(product), buyer)
    return { orderNo: order_no, list: keys.agentOrders(buyer.agent) }
  }))
  for (const { list } of placed) await shop.ledger.set(list, 'of another kind')
  await settle()
  expect(await outboxState(shop.ledger)).toMatchObject({ lagEntries: 0, aside: 8 })
  expect(await rebuildOrders(shop.ledger)).toMatchObject({ added: 8, removed: 8 })
  for (const { list, orderNo } of placed) {
    expect(await shop.ledger.zrange(list, '0', '-1')).toEqual([orderNo])
  }
  expect(await retryDeadLetters({ ...shop, consumer: orderEffects(shop) }))
    .toEqual({ done: 8, failed: 0 })
  for await (const found of deadLetters(shop.ledger)) expect(found).toEqual([])
  expect((await verify()).violations).toEqual([])
})
