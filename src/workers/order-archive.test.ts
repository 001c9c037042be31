/** Orders that left the ledger are answered as before; none is lost or doubled on the way. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { OrderArchive } from '../orders/archive/archive.ts'
import { createMerchantActions } from '../orders/merchant.ts'
import type { MoveName } from '../orders/states.ts'
import { showOrder } from '../orders/view.ts'
import { FORMAT, readFormat } from '../redis/format.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { openArchiveStores } from '../testing/archive-stores.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import {
  attemptAt, newBuyer, openShop, RECEIVER, refusalOf, SHOP_SECRET, supplyProduct, stockOf,
} from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { archiveBefore, archiveOrders, archiveWorker, recallOrder } from './order-archive.ts'
import { orderEffects } from './order-effects.ts'
import { rebuildEarnings, rebuildOrders } from './rebuild.ts'
import { resealArchive } from './reseal-archive.ts'

const log = createLogger('silent')
const { url, ledger, durable, brief } = await openOwnShop()
const STORES = await Promise.all((await openArchiveStores()).map(async (tested) => {
  const archive = new OrderArchive(tested.open())
  return { ...tested, archive, shop: await openShop({}, { url, archive }) }
}))
const secrets = createSecrets(SHOP_SECRET)
const COMPLETED: readonly MoveName[] = ['pay', 'accept', 'ship', 'deliver', 'complete']
const HOUR_MS = 3_600_000
/** Every order of these tests has ended before. */
const soon = (): number => nowMs() + HOUR_MS

afterAll(() => STORES.forEach(({ shop }) => shop.close()))
beforeEach(async () => { await ledger.flushdb() })

/** Products whose orders share an outbox. */
function ofOnePartition(count: number): number[] {
  const found: number[] = []
  for (let id = 5_000_000_000; found.length < count; id += 1) {
    if (partitionOf(id) === partitionOf(5_000_000_000)) found.push(id)
  }
  return found
}

const isArchived = async ({ orderNo, product }: {
  orderNo: string, product: { partition: number },
}) => await ledger.hexists(keys.order(product.partition, orderNo), 'archived') === 1

async function ledgerKeys(orderNo: string): Promise<string[]> {
  const found: string[] = []
  const kind = { match: '{p*}:*', name: new RegExp(`^(.*${orderNo}.*)$`) }
  for await (const names of scanNames(ledger, kind)) found.push(...names)
  return found
}

describe.each(STORES)('in $name', ({ open, corrupt, archive, shop }) => {
  const place = { ledger, durable, archive }

  async function settle(): Promise<void> {
    const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 0 })
    await worker.begin?.()
    while (await worker.tick()) { /* There is more. */ }
  }

  const violations = async () =>
    (await verifyLedger({ ledger, archive, secrets, log })).violations

  /** An order after these moves, with all that follows it. */
  async function orderAfter(moves: readonly MoveName[] = COMPLETED, productId?: number) {
    const given = productId === undefined ? {} : { productId }
    const [product, buyer] = [await supplyProduct(ledger, given), newBuyer()]
    const attempt = attemptAt(product, { user_ref: 'user-7', qty: 2 })
    const { order_no: orderNo } = await shop.orders.place(attempt, buyer)
    for (const name of moves) {
      const detail = name === 'ship' ? { waybill_no: 'SF1', express_co: '顺丰' } : {}
      await shop.orders.move(name, orderNo, { detail })
    }
    await settle()
    // As the worker of refunds does: it finds no payment of a provider.
    await ledger.zrem(keys.refunds(product.partition), orderNo)
    return { product, buyer, attempt, orderNo }
  }

  describe('an order in the archive', () => {
    test('is answered by every reading operation as before', async () => {
      const { buyer: { agent }, orderNo } = await orderAfter()
      const read = () => Promise.all([
        shop.orders.read(agent, orderNo), shop.orders.detail(agent, orderNo),
        shop.orders.logistics(agent, orderNo), shop.orders.aftersales(agent, orderNo),
        shop.orders.list(agent, undefined, 20), showOrder(ledger, secrets, orderNo, archive),
      ])
      const before = await read()
      expect(await archiveOrders(place, soon())).toMatchObject({ archived: 1, changed: 0 })
      expect(await ledgerKeys(orderNo)).toHaveLength(1)
      const after = await read()
      expect(after).toEqual(before)
      expect(after[5]?.receiver).toEqual(RECEIVER)
      expect(await violations()).toEqual([])
    })

    test('is the same to a retry, and its key stays bound to its request', async () => {
      const { buyer, attempt, orderNo, product } = await orderAfter()
      await archiveOrders(place, soon())
      expect(await shop.orders.place(attempt, buyer)).toMatchObject({
        order_no: orderNo, duplicate: true, status: 'completed', amount: 2 * 1990 + 600,
        items: [{ qty: 2, title: `测试商品 ${product.productId}` }],
      })
      expect(await refusalOf(shop.orders.place({ ...attempt, qty: 3 }, buyer)))
        .toMatchObject({ error: 'idempotency_mismatch' })
      expect(await stockOf(ledger, product)).toBe(8)
      expect(await violations()).toEqual([])
    })

    test('repeats what was done, and is moved by nobody', async () => {
      const { buyer: { agent }, orderNo } = await orderAfter(['pay', 'cancel_paid'])
      await archiveOrders(place, soon())
      expect(await shop.orders.read(agent, orderNo)).toMatchObject({ status: 'closed' })
      const { move } = shop.orders
      expect(await move('cancel_paid', orderNo)).toMatchObject({ code: 'done', status: 'closed' })
      expect(await move('refund_completed', orderNo)).toMatchObject({ code: 'archived' })
      expect(await refusalOf(shop.orders.cancel(agent, orderNo)))
        .toMatchObject({ error: 'order_state', status: 'closed' })
      expect(await createMerchantActions(shop.orders).order('refund', orderNo))
        .toMatchObject({ outcome: 'refused', why: expect.stringContaining('archive recall') })
      expect(await refusalOf(shop.orders.read(newBuyer().agent, orderNo)))
        .toMatchObject({ error: 'not_found' })
      expect(await violations()).toEqual([])
    })

    test('keeps its commission through a rebuild, and its claim and place in lists', async () => {
      const { buyer, attempt, orderNo } = await orderAfter()
      const records = () => ledger.hgetall(keys.records(buyer.account, 'sandbox'))
      const before = await records()
      expect(JSON.stringify(before)).toContain('confirmed_at')
      await archiveOrders(place, soon())
      await ledger.del(keys.agentOrders(buyer.agent))
      await rebuildOrders(ledger)
      await rebuildEarnings({ ledger, durable })
      expect(await records()).toEqual(before)
      const { items } = await shop.orders.list(buyer.agent, undefined, 20)
      expect(items.map(({ order_no }) => order_no)).toEqual([orderNo])
      expect(await shop.orders.place(attempt, buyer)).toMatchObject({ duplicate: true })
      expect(await violations()).toEqual([])
    })

    test('answers unavailable where its file cannot be read, and verify tells of it', async () => {
      const { buyer: { agent }, orderNo } = await orderAfter()
      await archiveOrders(place, soon())
      const node = await openShop({}, { url })
      expect(await refusalOf(node.orders.read(agent, orderNo)))
        .toMatchObject({ error: 'unavailable' })
      const { items } = await node.orders.list(agent, undefined, 20)
      expect(items.map(({ status }) => status)).toEqual(['completed'])
      node.close()
      const report = await verifyLedger({ ledger, secrets, log })
      expect(report.violations).toEqual([{
        invariant: 'record', subject: orderNo, detail: expect.stringContaining('archive'),
      }])
    })

    test('comes back as it was, and can be refunded then', async () => {
      const made = await orderAfter()
      const { orderNo, product } = made
      const { partition } = product
      const names = [keys.order(partition, orderNo), keys.events(partition, orderNo)] as const
      const read = () => Promise.all([ledger.hgetall(names[0]), ledger.lrange(names[1], 0, -1)])
      const before = await read()
      await archiveOrders(place, soon())
      expect(await recallOrder(place, orderNo)).toBe(true)
      expect(await recallOrder(place, orderNo)).toBe(false)
      expect(await read()).toEqual(before)
      expect(await shop.orders.move('refund_completed', orderNo)).toMatchObject({ code: 'moved' })
      await settle()
      expect(await violations()).toEqual([])
      expect(await archiveOrders(place, soon())).toMatchObject({ archived: 0 })
      await ledger.del(keys.refunds(partition))
      expect(await archiveOrders(place, soon())).toMatchObject({ archived: 1 })
      expect(await isArchived(made)).toBe(true)
    })
  })

  describe('what leaves the ledger', () => {
    test('is ended in every standing of the table that has an end, and nothing else', async () => {
      const made = await Promise.all(everyPath().map(async ({ path, status }) =>
        ({ status, ...await orderAlong(shop, brief, path) })))
      await settle()
      // Pretended money is given back at once where a node runs.
      for (const { product } of made) await ledger.del(keys.refunds(product.partition))
      await archiveOrders(place, soon())
      const left = await Promise.all(made.map(async (one) => {
        const isPaid = one.status !== 'closed'
          || await ledger.pttl(keys.order(one.product.partition, one.orderNo)) < 0
        const isEnded = ['completed', 'refunded', 'closed'].includes(one.status) && isPaid
        return { isEnded, isArchived: await isArchived(one) }
      }))
      expect(left.filter((one) => one.isEnded !== one.isArchived)).toEqual([])
      expect(left.filter((one) => one.isArchived).length).toBeGreaterThan(5)
      expect(await violations()).toEqual([])
    })

    test('has ended before the time, owes nothing, and had its effects', async () => {
      const owing = await orderAfter()
      await ledger.zadd(keys.refunds(owing.product.partition), 1, owing.orderNo)
      const young = await orderAfter()
      expect(await archiveOrders(place, nowMs() - HOUR_MS)).toEqual({ archived: 0, changed: 0 })
      const [product, buyer] = [await supplyProduct(ledger), newBuyer()]
      const { order_no } = await shop.orders.place(attemptAt(product), buyer)
      for (const name of COMPLETED) await shop.orders.move(name, order_no)
      await archiveOrders(place, soon())
      expect(await isArchived(owing), 'owes money').toBe(false)
      expect(await isArchived({ orderNo: order_no, product }), 'no effects yet').toBe(false)
      expect(await isArchived(young)).toBe(true)
    })

    test('stays where it changed while it was written', async () => {
      const made = await orderAfter()
      const store = open()
      const slow = new OrderArchive(Object.assign(open(), {
        async write(name: string, bytes: Buffer) {
          await shop.orders.move('refund_completed', made.orderNo)
          await store.write(name, bytes)
        },
      }))
      expect(await archiveOrders({ ...place, archive: slow }, soon()))
        .toMatchObject({ archived: 0, changed: 1 })
      expect(await shop.orders.read(made.buyer.agent, made.orderNo))
        .toMatchObject({ status: 'refunded' })
      await settle()
      expect(await violations()).toEqual([])
    })

    test('goes a day at a time, and fences code that would not find it', async () => {
      await orderAfter()
      const before = await archiveBefore(ledger, 31)
      expect(before % (24 * HOUR_MS)).toBe(0)
      const worker = archiveWorker({ ...place, days: 31, log })
      expect(await worker.tick()).toBe(false)
      expect((await readFormat(ledger)).readerMin).toBe(0)
      expect(await archiveWorker({ ...place, days: -1, log }).tick()).toBe(false)
      expect(await readFormat(ledger)).toEqual({ format: FORMAT.format, readerMin: 7 })
    })
  })

  describe('a run that ends half way', () => {
    test.each([['the file', '.ndjson.gz'], ['what is said of it', '.json']])(
      'before %s is written loses nothing', async (_, suffix) => {
        const made = await orderAfter()
        const store = open()
        const broken = new OrderArchive(Object.assign(open(), {
          async write(name: string, bytes: Buffer) {
            if (name.endsWith(suffix)) throw new Error('killed')
            await store.write(name, bytes)
          },
        }))
        await expect(archiveOrders({ ...place, archive: broken }, soon())).rejects.toThrow('killed')
        expect(await isArchived(made)).toBe(false)
        expect(await archiveOrders(place, soon())).toMatchObject({ archived: 1 })
        expect(await shop.orders.read(made.buyer.agent, made.orderNo))
          .toMatchObject({ status: 'completed' })
        expect(await violations()).toEqual([])
      })

    test('since a file is read back otherwise takes no order from the ledger', async () => {
      const made = await orderAfter()
      const lying = new OrderArchive(Object.assign(open(), {
        readWhole: async () => Buffer.from('something else'),
      }))
      await expect(archiveOrders({ ...place, archive: lying }, soon()))
        .rejects.toThrow(/is not what was written/)
      expect(await isArchived(made)).toBe(false)
      expect(await archiveOrders(place, soon())).toMatchObject({ archived: 1 })
      expect(await violations()).toEqual([])
    })

    test('among the orders goes on with the rest', async () => {
      const [first, ...others] = ofOnePartition(3)
      const made = [await orderAfter(COMPLETED, first)]
      for (const productId of others) made.push(await orderAfter(COMPLETED, productId))
      let calls = 0
      const dying: typeof durable.run = async (script, names, args) => {
        calls += 1
        if (calls === 2) throw new Error('killed')
        return await durable.run(script, names, args)
      }
      await expect(archiveOrders({ ...place, durable: { run: dying } }, soon()))
        .rejects.toThrow('killed')
      // An order of the same partition that is gone has told the outbox, which is read first.
      await settle()
      expect(await archiveOrders(place, soon())).toMatchObject({ archived: 1 })
      for (const { buyer, orderNo } of made) {
        expect(await shop.orders.read(buyer.agent, orderNo)).toMatchObject({ status: 'completed' })
      }
      expect(await violations()).toEqual([])
    })
  })

  describe('a file of the archive', () => {
    test('that was changed is not read', async () => {
      const { buyer: { agent }, orderNo } = await orderAfter()
      const { file = '' } = await archiveOrders(place, soon())
      await corrupt(file, 'something else that is no archive of ours')
      expect(await refusalOf(shop.orders.read(agent, orderNo)))
        .toMatchObject({ error: 'unavailable' })
      const facts = (await archive.files()).find((one) => one.file === file)
      await expect(archive.readFile(facts!)).rejects.toThrow(/was changed/)
      await archive.retire(facts!)
    })

    test('is read by a few kilobytes, whatever it holds', async () => {
      const made = [await orderAfter()]
      for (let count = 0; count < 40; count += 1) {
        made.push(await orderAfter(['pay', 'cancel_paid']))
      }
      const { bytes = 0 } = await archiveOrders(place, soon())
      const counts: number[] = []
      const watched = new OrderArchive(Object.assign(open(), {
        async read(name: string, from: number, count: number) {
          counts.push(count)
          return await open().read(name, from, count)
        },
      }))
      const node = await openShop({}, { url, archive: watched })
      const { buyer: { agent }, orderNo } = made[0]!
      expect(await node.orders.read(agent, orderNo)).toMatchObject({ order_no: orderNo })
      await node.orders.read(agent, orderNo)
      node.close()
      expect(counts).toHaveLength(1)
      expect(counts[0]).toBeLessThan(bytes / 2)
    })

    test('is sealed anew under the first secret, and its orders stay readable', async () => {
      const { buyer: { agent }, orderNo } = await orderAfter()
      const { file } = await archiveOrders(place, soon())
      const next = createSecrets(`a-second-secret-of-the-archive-tests-01,${SHOP_SECRET}`)
      const ofSecret = async (id: string) =>
        (await archive.files()).filter(({ sealed }) => id in sealed).map((one) => one.file)
      expect(await ofSecret(secrets.ids[0])).toContain(file)
      const before = await shop.orders.read(agent, orderNo)
      const lines = []
      for await (const line of resealArchive({ ...place, secrets: next })) lines.push(line)
      expect(lines).toContainEqual({ replaced: file, by: expect.any(String), orders: 1 })
      expect(await ofSecret(secrets.ids[0])).toEqual([])
      expect(await shop.orders.read(agent, orderNo)).toEqual(before)
      const only = createSecrets('a-second-secret-of-the-archive-tests-01')
      expect((await showOrder(ledger, only, orderNo, archive))?.receiver).toEqual(RECEIVER)
    })
  })
})
