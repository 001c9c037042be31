import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { OrderLine, OrderPage, Source } from '../../adapters/index.ts'
import { nowMs } from '../contract/time.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { MallOrdersWorker } from '../workers/mall-orders.ts'
import { createLinks } from './links.ts'
import { createShopPages } from './sandbox-shops.ts'
import { keepOrder, listMallOrders } from './mall-orders.ts'

const log = createLogger('silent')
const ledger = openRedis(inject('redis').ledgerUrl, log)
const counters = openRedis(inject('redis').countersUrl, log)
const writes = openRedis(inject('redis').ledgerUrl, log)
const durable = createDurable({ client: writes, replicas: 0, log })
const shopPages = createShopPages({ shops: {}, publicUrl: 'https://mall.test', seed: '' })
const links = createLinks({ ledger, durable, counters, publicUrl: 'https://mall.test', shopPages })
const T0 = Date.UTC(2026, 10, 1)

beforeAll(() => Promise.all([
  untilReady(ledger, 'ledger'), untilReady(writes, 'ledger'), untilReady(counters, 'counters'),
]))
afterAll(() => {
  durable.close()
  ledger.disconnect()
  counters.disconnect()
})

const newAgent = () => ({
  agent: `ag_${randomUUID()}`, account: `ac_${randomUUID()}`, tier: 't1',
  client: { address: '192.0.2.1' },
})
const line = (sub_id: string | null, more: Partial<OrderLine> = {}): OrderLine => ({
  source: 'mall_b', line_id: randomUUID(), order_no: '9001', item_id: 'i1', title: '保温杯', qty: 1,
  amount: 12_345, commission: { bps: 300, fen: 370 }, status: 'paid', mall_status: '16', sub_id,
  ordered_at: T0, paid_at: T0, updated_at: T0, ...more,
})
const TOKENS = { name: 'mall_b', capabilities: { attribution: 'token' } } as unknown as Source
const markFor = async (caller: ReturnType<typeof newAgent>, source = TOKENS): Promise<string> =>
  await links.subId(source, caller) ?? ''
const list = (caller: ReturnType<typeof newAgent>, query = {}) =>
  listMallOrders(ledger, 'mall_b', caller, query)

test('a line belongs to the agent whose mark it carries, and to nobody else', async () => {
  const [one, other] = [newAgent(), newAgent()]
  const kept = line(await markFor(one))
  expect(await keepOrder(ledger, kept, 'sandbox')).toBe(true)
  const { orders, next_cursor } = await list(one)
  expect(orders).toEqual([{
    mall_order_no: '9001', item_id: 'mall_b:i1', title: '保温杯', qty: 1, amount: 12_345,
    commission: 617, status: 'paid', paid_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
  }])
  expect(next_cursor).toBeNull()
  expect((await list(other)).orders).toEqual([])
})

test('a mark that nobody knows gives the line to nobody', async () => {
  const stranger = line('am_unknown')
  expect(await keepOrder(ledger, stranger, 'sandbox')).toBe(true)
  expect(await ledger.hget(keys.mallOrder('mall_b', stranger.line_id), 'agent')).toBe('')
})

test('the same report twice, or an older one, changes nothing and tells nobody', async () => {
  const agent = newAgent()
  const first = line(await markFor(agent))
  const later = { ...first, status: 'invalid', updated_at: T0 + 60_000 } as const
  const length = () => ledger.xlen(keys.mallEvents('mall_b'))
  expect(await keepOrder(ledger, first, 'sandbox')).toBe(true)
  const before = await length()
  expect(await keepOrder(ledger, first, 'sandbox')).toBe(false)
  expect(await keepOrder(ledger, later, 'sandbox')).toBe(true)
  expect(await keepOrder(ledger, first, 'sandbox')).toBe(false)
  expect(await length()).toBe(before + 1)
  const { orders } = await list(agent)
  expect(orders).toMatchObject([{ status: 'invalid', commission: 0 }])
})

test('pages hold each line once, the last changed first, also where times are equal', async () => {
  const agent = newAgent()
  const mark = await markFor(agent)
  const lines = Array.from({ length: 25 }, (_, n) =>
    line(mark, { order_no: String(n), updated_at: T0 + Math.floor(n / 3) * 1000 }))
  for (const one of lines) await keepOrder(ledger, one, 'sandbox')
  const seen: string[] = []
  const times: string[] = []
  let cursor: string | null = null
  do {
    const page = await list(agent, { limit: 4, ...(cursor !== null && { cursor }) })
    seen.push(...page.orders.map(({ mall_order_no }) => mall_order_no))
    times.push(...page.orders.map(({ updated_at }) => updated_at))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(seen.toSorted()).toEqual(lines.map(({ order_no }) => order_no).toSorted())
  expect(times).toEqual(times.toSorted().toReversed())
})

test('a status and a time narrow the list; a cursor of nobody\'s is refused', async () => {
  const agent = newAgent()
  const mark = await markFor(agent)
  await keepOrder(ledger, line(mark, { order_no: '1' }), 'sandbox')
  await keepOrder(ledger, line(mark, { order_no: '2', status: 'settled', updated_at: T0 + 5000 }),
    'sandbox')
  const numbers = async (query: object) =>
    (await list(agent, query)).orders.map(({ mall_order_no }) => mall_order_no)
  expect(await numbers({ status: 'settled' })).toEqual(['2'])
  expect(await numbers({ updated_after: '2026-11-01T00:00:01.000Z' })).toEqual(['2'])
  await expect(list(agent, { cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({
    error: 'invalid_request',
  })
})

test('reading goes on a little before its end, and a lost page is read again', async () => {
  const agent = newAgent()
  const name = `mall_${randomUUID().slice(0, 8)}` as Source['name']
  const mark = await markFor(agent, { ...TOKENS, name })
  const windows: [number, number][] = []
  const pages: (OrderPage | Error)[] = [
    { lines: [line(mark, { source: name })], dropped: 0, through: nowMs() - 1000 },
    new Error('lost'),
  ]
  const source = {
    name,
    capabilities: { orders: { overlapMs: 120_000, lookbackMs: 90 * 86_400_000 } },
    health: () => ({ skewMs: null }),
    async* orders({ from, to }: { from: number, to: number }) {
      windows.push([from, to])
      const page = pages.shift()
      if (page instanceof Error) throw page
      if (page) yield page
    },
  } as unknown as Source
  const worker = new MallOrdersWorker({ source, mode: 'sandbox', ledger, log })
  await worker.tick()
  await expect(worker.tick()).rejects.toThrow('lost')
  await worker.tick()
  const through = Number(await ledger.get(keys.mallThrough(name)))
  expect(windows[1]?.[0]).toBe(through - 120_000)
  expect(windows[2]?.[0]).toBe(through - 120_000)
  expect((await listMallOrders(ledger, name, agent, {})).orders).toHaveLength(1)
})

test('a window of more pages than a tick has time for is read on in the next ticks', async () => {
  const agent = newAgent()
  const name = `mall_${randomUUID().slice(0, 8)}` as Source['name']
  const mark = await markFor(agent, { ...TOKENS, name })
  let begun = 0
  const source = {
    name,
    capabilities: { orders: { overlapMs: 120_000, lookbackMs: 90 * 86_400_000 } },
    health: () => ({ skewMs: null }),
    async* orders({ from, to }: { from: number, to: number }) {
      begun += 1
      for (let page = 0; page < 4; page += 1) {
        yield { lines: [line(mark, { source: name })], dropped: 0, through: page < 3 ? from : to }
      }
    },
  } as unknown as Source
  const worker = new MallOrdersWorker({ source, mode: 'sandbox', ledger, log, tickMs: -1 })
  const first = nowMs()
  await worker.begin?.()
  let ticks = 1
  while (await worker.tick()) ticks += 1
  expect([begun, ticks]).toEqual([1, 5])
  expect((await listMallOrders(ledger, name, agent, {})).orders).toHaveLength(4)
  expect(Number(await ledger.get(keys.mallThrough(name)))).toBeGreaterThanOrEqual(first - 30_000)
})

test('a first reading that is cut off begins at the same place again', async () => {
  const name = `mall_${randomUUID().slice(0, 8)}` as Source['name']
  const begins: number[] = []
  const source = {
    name,
    capabilities: { orders: { overlapMs: 0, lookbackMs: 90 * 86_400_000 } },
    health: () => ({ skewMs: null }),
    async* orders({ from }: { from: number }) {
      begins.push(from)
      if (begins.length < 3) throw new Error('lost')
      yield* []
    },
  } as unknown as Source
  const worker = new MallOrdersWorker({ source, mode: 'sandbox', ledger, log })
  for (let time = 0; time < 2; time += 1) await expect(worker.tick()).rejects.toThrow('lost')
  await worker.tick()
  expect(new Set(begins).size).toBe(1)
})

test('of marks that a platform issues each agent has one for good, or none', async () => {
  const source = {
    name: `mall_${randomUUID().slice(0, 8)}`,
    capabilities: { attribution: 'pool', pool: ['301', '302'] },
  } as unknown as Source
  const agents = [newAgent(), newAgent(), newAgent()]
  const marks = await Promise.all(agents.map((agent) => links.subId(source, agent)))
  expect(marks.filter(Boolean).toSorted()).toEqual(['301', '302'])
  for (const [at, agent] of agents.entries()) {
    expect(await links.subId(source, agent)).toBe(marks[at])
  }
  const [at, mark = ''] = marks[0] ? [0, marks[0]] : [1, marks[1]]
  const kept = line(mark, { source: source.name })
  await keepOrder(ledger, kept, 'sandbox')
  const { orders } = await listMallOrders(ledger, source.name, agents[at] ?? newAgent(), {})
  expect(orders).toHaveLength(1)
})
