import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pino } from 'pino'
import { Refusal } from '../contract/errors.ts'
import { createSecrets } from '../secrets/derive.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  attemptAt, newBuyer, openShop, RECEIVER, SHOP_SECRET, supplyProduct, type Shop,
} from '../testing/products.ts'
import { openReceiver } from './record.ts'

let shop: Shop
const logged: string[] = []
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => { logged.push(line) } })
  shop = await openShop({}, { log })
})
afterAll(() => shop.close())

const refusalOf = (work: Promise<unknown>) => work.then(
  () => 'not refused', (error: unknown) => (error instanceof Refusal
    ? { error: error.error, detail: error.detail, message: error.message } : error))

test('an order is read with its items, masked receiver, user_ref and timeline', async () => {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const input = attemptAt(product, { qty: 3, user_ref: 'u-1' })
  const { order_no } = await shop.orders.place(input, buyer)
  await shop.orders.move('pay', order_no)
  const order = await shop.orders.read(buyer.agent, order_no)
  expect(order).toEqual({
    order_no,
    status: 'paid',
    amount: 3 * 1990,
    items: [expect.objectContaining({ qty: 3, unit_price: 1990 })],
    freight: 0,
    grand_total: 3 * 1990,
    goods_amount: 3 * 1990,
    poll_after_s: 5,
    next_actions: [
      { tool: 'get_order_status', arguments: { order_no }, when: expect.any(String) },
      {
        tool: 'request_aftersale', arguments: { order_no, type: 'refund_only', preview: true },
        when: expect.any(String),
      },
    ],
    created_at: expect.any(String),
    receiver_masked: {
      name: '欧*', phone: '139****5678', province: '浙江省', city: '杭州市', district: '西湖区',
      address: '****',
    },
    user_ref: 'u-1',
    events: [
      { event: 'created', at: order.created_at }, { event: 'paid', at: expect.any(String) },
    ],
  })
})

test('an unpaid order can be paid, a final one is not polled', async () => {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const placed = await shop.orders.place(attemptAt(product), buyer)
  const { pay_url, pay_expires_at } = placed
  expect(await shop.orders.read(buyer.agent, placed.order_no)).toMatchObject({
    pay_url, pay_expires_at, poll_after_s: 5,
  })
  await shop.orders.move('cancel', placed.order_no, { detail: { reason: '拍错了' } })
  const closed = await shop.orders.read(buyer.agent, placed.order_no)
  expect(closed.events.at(-1)).toMatchObject({ event: 'closed', detail: { reason: '拍错了' } })
  expect(closed).not.toHaveProperty('pay_url')
  expect(closed).not.toHaveProperty('poll_after_s')
})

test('another key\'s order looks like one that never was', async () => {
  const product = await supplyProduct(shop.ledger)
  const { order_no } = await shop.orders.place(attemptAt(product), newBuyer())
  const never = `AM${order_no.slice(2, 4)}${'0'.repeat(16)}`
  const stranger = newBuyer().agent
  const ways = [
    (orderNo: string) => shop.orders.read(stranger, orderNo),
    (orderNo: string) => shop.orders.logistics(stranger, orderNo),
  ]
  for (const way of ways) {
    const foreign = await refusalOf(way(order_no))
    expect(foreign).toMatchObject({ error: 'not_found' })
    expect(foreign).toEqual(await refusalOf(way(never)))
  }
})

test('an entry of the list whose order is gone, or another agent\'s, is left out', async () => {
  const [buyer, stranger] = [newBuyer(), newBuyer()]
  const place = async (who: typeof buyer) =>
    (await shop.orders.place(attemptAt(await supplyProduct(shop.ledger)), who)).order_no
  const [own, theirs] = [await place(buyer), await place(stranger)]
  await shop.ledger.zadd(keys.agentOrders(buyer.agent), 1, own, 2, theirs,
    3, 'AM0000000000000000ZZ')
  const { items } = await shop.orders.list(buyer.agent, undefined, 10)
  expect(items.map(({ order_no }) => order_no)).toEqual([own])
})

describe('logistics', () => {
  test('are those of a parcel: a waybill that is known early tells of none', async () => {
    const product = await supplyProduct(shop.ledger)
    const buyer = newBuyer()
    const { order_no } = await shop.orders.place(attemptAt(product), buyer)
    await shop.orders.move('pay', order_no, { detail: { waybill_no: 'SF1' } })
    expect(await refusalOf(shop.orders.logistics(buyer.agent, order_no)))
      .toMatchObject({ error: 'not_shipped' })
  })

  test('of an order that was cancelled there will be none, and the refusal says so', async () => {
    const product = await supplyProduct(shop.ledger)
    const buyer = newBuyer()
    const { order_no } = await shop.orders.place(attemptAt(product), buyer)
    await shop.orders.cancel(buyer.agent, order_no)
    expect(await refusalOf(shop.orders.logistics(buyer.agent, order_no))).toMatchObject({
      error: 'not_shipped',
      detail: { status: 'closed', hint: 'The order is closed: there will be no parcel.' },
    })
  })

  test('are refused before shipping, and then grow until delivery', async () => {
    const { ledger, orders, close } = await openShop({ sandboxStepMs: 1000 })
    const product = await supplyProduct(ledger)
    const buyer = newBuyer()
    const { order_no } = await orders.place(attemptAt(product), buyer)
    const read = () => orders.logistics(buyer.agent, order_no)
    for (const move of ['pay', 'accept'] as const) {
      expect(await refusalOf(read())).toMatchObject({ error: 'not_shipped' })
      await orders.move(move, order_no)
    }
    const detail = orders.driver.detail('ship', order_no)
    await orders.move('ship', order_no, detail && { detail })
    const shipped = await read()
    expect(shipped).toMatchObject({
      order_no, waybill_no: expect.stringMatching(/^SX\d{12}$/), express_co: '顺风达',
    })
    expect(shipped.traces[0]).toEqual({ time: expect.any(String), context: '快件已揽收' })
    await expect.poll(async () => (await read()).traces.length).toBeGreaterThanOrEqual(5)
    // Another test's node may have delivered it already.
    await orders.move('deliver', order_no)
    const delivered = await read()
    expect(delivered.traces.slice(0, shipped.traces.length)).toEqual(shipped.traces)
    expect(delivered.traces.at(-1)?.context).toBe('快件已签收')
    const times = delivered.traces.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
    const { events } = await orders.read(buyer.agent, order_no)
    expect(events.find(({ event }) => event === 'shipped')?.detail).toEqual({
      waybill_no: shipped.waybill_no, express_co: '顺风达',
    })
    close()
  })
})

test('nothing of a plain receiver is in ledger, outbox or log; its key opens it', async () => {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const input = attemptAt(product)
  const { order_no } = await shop.orders.place(input, buyer)
  await shop.orders.move('pay', order_no)
  await refusalOf(shop.orders.place({ ...input, qty: 50 }, buyer))
  const { partition } = product
  const order = await shop.ledger.hgetall(keys.order(partition, order_no))
  const kept = JSON.stringify([
    order,
    await shop.ledger.lrange(keys.events(partition, order_no), 0, -1),
    await shop.ledger.xrange(keys.outbox(partition), '-', '+'),
    await shop.ledger.get(keys.idempotency(buyer.agent, 'create_order', input.idempotency_key)),
    logged,
  ])
  expect(kept).toContain(order_no)
  for (const plain of [RECEIVER.name, '阳测', RECEIVER.phone, RECEIVER.address, '文三路']) {
    expect(kept).not.toContain(plain)
  }
  const seal = createSecrets(SHOP_SECRET).seal('receiver')
  expect(openReceiver(order['receiver'] ?? '', order_no, seal)).toEqual(RECEIVER)
})
