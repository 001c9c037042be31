/** The merchant's commands; what each move may do is held by the walk of all moves. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createDriver } from '../orders/driver.ts'
import {
  attemptAt, newBuyer, openShop, RECEIVER, SHOP_SECRET, supplyProduct, type Shop,
} from '../testing/products.ts'
import { aftersalesCommands, ordersCommands } from './orders.ts'
import type { CommandContext, WithLedger } from './context.ts'

let shop: Shop
let folder: string
beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'agentmall-orders-'))
})
afterAll(async () => {
  shop.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => { process.exitCode = undefined })

const run = (...words: string[]) =>
  runGroup(words[0] === 'aftersales' ? aftersalesCommands : ordersCommands,
    words[0] === 'aftersales' ? words.slice(1) : words)

async function runGroup(
  commands: typeof ordersCommands, words: readonly string[],
): Promise<Record<string, unknown>[]> {
  const place = {
    ledger: shop.ledger, log: shop.log, urls: { ledger: inject('redis').ledgerUrl },
    config: { ...readConfig({}), sandbox: false }, secrets: createSecrets(SHOP_SECRET),
  } as unknown as CommandContext
  const here: WithLedger = (work) => work(place)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await commands(here).parseAsync([...words], { from: 'user' })
    return printed.mock.calls.map(([text]) => JSON.parse(String(text)) as Record<string, unknown>)
  } finally {
    printed.mockRestore()
  }
}

async function paidOrder() {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  await shop.orders.move('pay', orderNo)
  return { orderNo, buyer }
}

test.each([
  ['csv', (orderNo: string) => `order_no,waybill_no,express_co\n${orderNo},SF1,顺丰\n`],
  ['ndjson', (orderNo: string) =>
    `${JSON.stringify({ order_no: orderNo, waybill_no: 'SF1', express_co: '顺丰' })}\n`],
])('a %s file of parcels ships its orders, and again does no harm', async (kind, text) => {
  const { orderNo, buyer } = await paidOrder()
  await run('accept', orderNo)
  const file = join(folder, `parcels.${kind}`)
  await writeFile(file, text(orderNo))
  expect(await run('ship', '--file', file))
    .toEqual([{ order_no: orderNo, status: 'shipped', outcome: 'moved' }])
  expect(await run('ship', '--file', file))
    .toEqual([{ order_no: orderNo, status: 'shipped', outcome: 'done' }])
  expect(await shop.orders.logistics(buyer.agent, orderNo))
    .toMatchObject({ waybill_no: 'SF1', express_co: '顺丰' })
})

test('a file with one bad line moves nothing and names the line', async () => {
  const { orderNo, buyer } = await paidOrder()
  const file = join(folder, 'bad.csv')
  await writeFile(file, `order_no\n${orderNo}\nnonsense\n`)
  await expect(run('accept', '--file', file)).rejects.toThrow(ConfigError)
  await expect(run('accept', '--file', file)).rejects.toThrow('Record 2')
  expect((await shop.orders.read(buyer.agent, orderNo)).status).toBe('paid')
})

test('a parcel without a waybill is not shipped', async () => {
  const { orderNo } = await paidOrder()
  await run('accept', orderNo)
  await expect(run('ship', orderNo)).rejects.toThrow('--waybill')
})

test('of several orders the one that cannot move is said, and the others move', async () => {
  const [one, two] = [await paidOrder(), await paidOrder()]
  await run('accept', one.orderNo)
  const outcomes = await run('ship', one.orderNo, two.orderNo, '--waybill', 'SF2')
  expect(outcomes).toEqual([
    { order_no: one.orderNo, status: 'shipped', outcome: 'moved' },
    { order_no: two.orderNo, status: 'paid', outcome: 'refused', why: expect.any(String) },
  ])
  expect(process.exitCode).toBe(1)
})

test('a completed order is refunded by the operator, once, and keeps its goods', async () => {
  const { orderNo, buyer } = await paidOrder()
  for (const name of ['accept', 'ship', 'deliver', 'complete'] as const) {
    expect((await shop.orders.move(name, orderNo)).code).toBe('moved')
  }
  const refund = ['refund', orderNo, '--reason', '三包'] as const
  expect(await run(...refund)).toEqual([{ order_no: orderNo, status: 'refunded',
    outcome: 'moved' }])
  expect(await run(...refund)).toMatchObject([{ status: 'refunded', outcome: 'done' }])
  const { events } = await shop.orders.read(buyer.agent, orderNo)
  expect(events.at(-1)).toMatchObject({ event: 'refunded', detail: { reason: '三包' } })
})

test.each([['on', 1000], ['off', 604_800_000]])(
  'with SANDBOX=%s a delivered order is completed after %d ms', (SANDBOX, afterMs) => {
    const driver = createDriver(readConfig({ SANDBOX, SANDBOX_COMPLETE_MS: '1000' }))
    expect(driver.next('delivered')).toEqual({ move: 'complete', afterMs })
  })

test('an action on an after-sale that is named leaves a newer one alone', async () => {
  const { orderNo, buyer } = await paidOrder()
  for (const name of ['accept', 'ship'] as const) await shop.orders.move(name, orderNo)
  const ask = (reason: string) => shop.orders.requestAftersale(
    { order_no: orderNo, type: 'return_refund', reason }, buyer)
  const { aftersale_id: first = '' } = await ask('one')
  const reject = ['reject', orderNo, '--aftersale', first, '--reason', '已拆封'] as const
  expect(await run('aftersales', ...reject)).toMatchObject([{ outcome: 'moved' }])
  await ask('two')
  expect(await run('aftersales', ...reject)).toMatchObject([{ outcome: 'refused' }])
})

test('a return that the user sends is approved with an address, and noted with its waybill',
  async () => {
    const { orderNo, buyer } = await paidOrder()
    await run('accept', orderNo)
    await run('ship', orderNo, '--waybill', 'SF9')
    await shop.orders.requestAftersale(
      { order_no: orderNo, type: 'return_refund', pickup: false }, buyer)
    expect(await run('aftersales', 'approve', orderNo)).toMatchObject([
      { outcome: 'refused', why: expect.stringContaining('--return-address') }])
    const address = '退货组 0571-0000 杭州市文三路 1 号'
    expect(await run('aftersales', 'approve', orderNo, '--return-address', address))
      .toMatchObject([{ outcome: 'moved', aftersale_status: 'approved' }])
    expect((await shop.orders.read(buyer.agent, orderNo)).aftersale?.return_address).toBe(address)
    await run('aftersales', 'collect', orderNo, '--waybill', 'YT77')
    expect(await shop.orders.logistics(buyer.agent, orderNo))
      .toMatchObject({ return_parcel: { waybill_no: 'YT77' } })
  })

test('the list names the orders of a status, and an order is shown with its receiver', async () => {
  const { orderNo } = await paidOrder()
  const found = await run('list', '--status', 'paid')
  expect(found.map(({ order_no }) => order_no)).toContain(orderNo)
  const [order] = await run('show', orderNo)
  expect(order).toMatchObject({ order_no: orderNo, status: 'paid', receiver: RECEIVER })
})
