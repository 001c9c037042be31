/** What an order costs Redis, with all that follows it, where orders come in numbers. */
import { expect, test } from 'vitest'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'

const ORDERS = 200
const BUYERS = 8

const shop = await openOwnShop()

/** Commands that the server ran, those inside scripts with them; this look is one of them. */
const commandsRun = async (): Promise<number> =>
  Number(/^total_commands_processed:(\d+)/m.exec(await shop.ledger.info('stats'))?.[1])

test('an order is placed with 12 commands, listed and told with 14 at most', async () => {
  const products = await Promise.all(Array.from({ length: 10 }, () =>
    supplyProduct(shop.ledger, { stock: ORDERS })))
  const buyers = Array.from({ length: BUYERS }, newBuyer)
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 600_000 })
  await worker.begin?.()
  await worker.tick()
  const place = (at: number): Promise<unknown> => shop.orders.place(
    attemptAt(products[at % products.length] as (typeof products)[0]),
    buyers[at % BUYERS] as ReturnType<typeof newBuyer>)
  // Each connection learns the script once.
  await Promise.all(Array.from({ length: BUYERS }, (_, at) => place(at)))
  const before = await commandsRun()
  await Promise.all(Array.from({ length: ORDERS }, (_, at) => place(at)))
  const placed = await commandsRun()
  expect((placed - before - 1) / ORDERS).toBe(12)
  for (const { partition } of products) worker.mark(partition)
  while (await worker.tick()) { /* There is more. */ }
  expect((await commandsRun() - before - 2) / ORDERS).toBeLessThanOrEqual(14)
  const { items } = await shop.orders.list(buyers[0]?.agent ?? '', undefined, 100)
  expect(items).toHaveLength(ORDERS / BUYERS + 1)
})
