import { expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { createMetrics } from './metrics.ts'
import type { RedisClient } from '../redis/connect.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'
import { ledger as keys } from '../redis/keys.ts'

const log = createLogger('silent')
const shop = await openOwnShop()

/** A client that counts what it is asked for. */
function counting() {
  let asked = 0
  const ledger = new Proxy(shop.ledger, {
    get(target, name) {
      if (name === 'pipeline' || name === 'time') asked += 1
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as RedisClient
  return { ledger, asked: () => asked }
}

test('a scrape has what is behind and what is overdue; a second one sends no command', async () => {
  const { partition } = await supplyProduct(shop.ledger)
  for (let count = 0; count < 2; count += 1) {
    await shop.orders.place(attemptAt(await supplyProduct(shop.ledger)), newBuyer())
  }
  await shop.ledger.zadd(keys.unpaid(partition), 1, 'AM0000000000000000000')
  const { ledger, asked } = counting()
  const metrics = createMetrics({ ledger, log })
  const { text } = await metrics.read()
  expect(text).toMatch(/^agentmall_outbox_lag_entries 2$/m)
  expect(text).toMatch(/^agentmall_orders_overdue 1$/m)
  const before = asked()
  expect(before).toBeGreaterThan(0)
  await Promise.all(Array.from({ length: 20 }, () => metrics.read()))
  expect(asked()).toBe(before)
})

test('without the ledger the process still tells of itself, and claims nothing else', async () => {
  const away = new Proxy(shop.ledger, {
    get: () => () => Promise.reject(new Error('Connection is closed.')),
  }) as RedisClient
  const { text } = await createMetrics({ ledger: away, log }).read()
  expect(text).toMatch(/^process_cpu_seconds_total /m)
  expect(text).toMatch(/^agentmall_orders_overdue Nan$/mi)
  expect(text).toMatch(/^agentmall_outbox_lag_entries Nan$/mi)
})
