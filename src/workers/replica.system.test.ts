/** The outbox worker acts on what the replica has, and what it did is there before it goes on. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBalances } from '../earnings/books.ts'
import { Refusal } from '../contract/errors.ts'
import { claimKey } from '../orders/place-order.ts'
import { ledger as keys } from '../redis/keys.ts'
import { ask } from '../dev/redis/server.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { eventually } from '../testing/eventually.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { attemptAt, newBuyer, openShop, supplyProduct, type Shop } from '../testing/products.ts'
import { orderEffects, reconcileCommissions } from './order-effects.ts'
import { ConsumerWorker } from './consumer.ts'

let master: OwnLedger
let replica: OwnLedger
let nodes: Shop[]
beforeAll(async () => {
  master = await startLedger()
  replica = await startLedger({ master })
  await eventually(async () => {
    const info = await ask(master.server, (redis) => redis.info('replication'))
    if (!/slave0:.*state=online/.test(info)) throw new Error('not yet')
  })
  nodes = await Promise.all([1, 2].map(() => openShop({}, { url: master.url, replicas: 1 })))
})
afterAll(async () => {
  for (const node of nodes) node.close()
  await replica.stop()
  await master.stop()
})

test('effects that were done, and are repeated by another node, wait for the replica, too',
  async () => {
    const [one, two] = nodes as [Shop, Shop]
    const event: OutboxEvent = {
      id: '1-1', partition: 1, type: 'created', at: 5, productId: 1,
      orderNo: 'AM1100000000000000AA', agent: `ag_${randomUUID()}`, attempt: randomUUID(),
    }
    await one.durable.send('set', claimKey(event.agent ?? '', event.attempt ?? ''), 'f AM')
    process.kill(replica.server.pid, 'SIGSTOP')
    try {
      for (const node of [one, two, one]) {
        await expect(orderEffects(node).handle([event])).rejects.toThrow(Refusal)
      }
    } finally {
      process.kill(replica.server.pid, 'SIGCONT')
    }
    await eventually(() => orderEffects(two).handle([event]))
  })

/** What is done while the replica is stopped; then it goes on. */
async function whileStopped(work: () => Promise<void>): Promise<void> {
  process.kill(replica.server.pid, 'SIGSTOP')
  try {
    await work()
  } finally {
    process.kill(replica.server.pid, 'SIGCONT')
  }
}

test('an event that the replica has not is handed to nobody, and is once it has it',
  async () => {
    const [one, two] = nodes as [Shop, Shop]
    const product = await supplyProduct(one.ledger)
    const seen: OutboxEvent[] = []
    const worker = new ConsumerWorker({
      name: 'seen', handle: async (events) => { seen.push(...events) },
      // Every tick looks at every partition.
    }, { ...two, sweepMs: 0 })
    const placed = (): string[] => seen.flatMap(({ type, productId, orderNo = '' }) =>
      (type === 'created' && productId === product.productId ? [orderNo] : []))
    const first = await one.orders.place(attemptAt(product), newBuyer())
    await eventually(async () => {
      await worker.tick()
      expect(placed()).toEqual([first.order_no])
    })
    const [buyer, attempt] = [newBuyer(), attemptAt(product)]
    await whileStopped(async () => {
      await expect(one.orders.place(attempt, buyer)).rejects.toThrow(Refusal)
      // The claim was refused; the order itself is there, as after a cut in between.
      await one.ledger.xadd(keys.outbox(product.partition), '*', 'type', 'created', 'at', 1,
        'product_id', product.productId, 'order_no', 'AM-of-the-master-alone')
      await worker.tick()
      await worker.tick()
      expect(placed()).toEqual([first.order_no])
    })
    await eventually(async () => {
      await worker.tick()
      expect(placed()).toContain('AM-of-the-master-alone')
    })
  })

test('a payment that the replica has not brings no commission, though its event says so',
  async () => {
    const [one, two] = nodes as [Shop, Shop]
    const product = await supplyProduct(one.ledger)
    const buyer = newBuyer()
    const { order_no: orderNo } = await one.orders.place(attemptAt(product), buyer)
    const paid: OutboxEvent = {
      id: '1-0', partition: product.partition, type: 'paid', at: 1, orderNo,
      productId: product.productId,
    }
    await whileStopped(async () => {
      await expect(one.orders.move('pay', orderNo)).rejects.toThrow(Refusal)
      await expect(reconcileCommissions(two, [paid])).rejects.toThrow(Refusal)
      expect(await readBalances(two, buyer.account)).toMatchObject({ pending: 0 })
    })
    await eventually(async () => {
      await reconcileCommissions(two, [paid])
      expect(await readBalances(two, buyer.account)).toMatchObject({ pending: 129 })
    })
  })
