import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { malls } from '../../adapters/index.ts'
import { simulate } from '../../adapters/sandbox.ts'
import { ASSORTMENT } from '../../adapters/testing/stage.ts'
import { dayOf } from '../earnings/month.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { MallOrdersWorker, requestRepetition } from './mall-orders.ts'

const HOUR_MS = 3_600_000
const realNow = Date.now.bind(Date)
const shop = await openOwnShop()
const { ledger } = shop

/** The platform's own clock; purchases of the past are made by turning it back. */
let turnedBackMs = 0
const mall = await simulate.mall_b({
  clock: { now: () => realNow() - turnedBackMs }, assortment: ASSORTMENT, paceMs: null,
})
afterAll(() => mall.close())

function purchase(agoMs = 0): string {
  turnedBackMs = agoMs
  const order = mall.purchase(LINK)
  turnedBackMs = 0
  return `${order?.number}01`
}

const isKept = async (line: string): Promise<boolean> =>
  await ledger.exists(keys.mallOrder('mall_b', line)) === 1

/** A node's worker, whose clock and signatures are so much ahead while it reads. */
function nodeAhead(aheadMs: number, place = ledger) {
  const clock = { now: () => realNow() + aheadMs }
  const source = malls.mall_b.open(mall.settings, {
    clock, budget: { take: async () => 0, limited: async () => undefined },
  })
  onTestFinished(() => source.close())
  const worker = new MallOrdersWorker({ ...shop, ledger: place, source })
  return async (): Promise<void> => {
    const ahead = vi.spyOn(Date, 'now').mockImplementation(clock.now)
    try {
      while (await worker.tick()) { /* There is more. */ }
    } finally {
      ahead.mockRestore()
    }
  }
}

const LINK = await (async () => {
  const source = malls.mall_b.open(mall.settings, { clock: { now: realNow } })
  const { items: [item] } = await source.search({ q: '保温杯', page: 1, pageSize: 1 })
  const link = await source.convert?.({ item: item?.id ?? '' })
  await source.close()
  return link?.url ?? ''
})()

test('what changes after a node with a clock ahead has read is read by the next node', async () => {
  await nodeAhead(5 * 60_000)()
  const line = purchase()
  await nodeAhead(0)()
  expect(await isKept(line)).toBe(true)
  expect(Number(await ledger.get(keys.mallThrough('mall_b')))).toBeLessThan(realNow())
})

test('where the ledger\'s clock is ahead, too, the platform\'s own holds the window back',
  async () => {
    const isAhead = new Proxy(ledger, {
      get(target, name) {
        if (name === 'time') return () => [`${Math.floor(realNow() / 1000) + 300}`, '0']
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const tick = nodeAhead(5 * 60_000, isAhead)
    await tick()
    await tick()
    expect(Number(await ledger.get(keys.mallThrough('mall_b')))).toBeLessThan(realNow())
    const line = purchase()
    await nodeAhead(0)()
    expect(await isKept(line)).toBe(true)
  })

test('a cursor that an older version left in the future is drawn back, and the gap read',
  async () => {
    const line = purchase(4 * 60_000)
    await ledger.set(keys.mallThrough('mall_b'), realNow() + 5 * 60_000)
    await nodeAhead(0)()
    expect(await isKept(line)).toBe(true)
    expect(Number(await ledger.get(keys.mallThrough('mall_b')))).toBeLessThan(realNow())
  })

test('every night the last 48 hours are read again, once, and nothing is kept twice', async () => {
  const tick = nodeAhead(0)
  await tick()
  const missed = purchase(30 * HOUR_MS)
  await tick()
  expect(await isKept(missed)).toBe(false)
  await ledger.hset(keys.mallRepeated('mall_b'), 'night', dayOf(realNow() - 48 * HOUR_MS))
  await expect.poll(async () => {
    await tick()
    return await isKept(missed)
  }).toBe(true)
  const isOver = async (): Promise<boolean> => {
    await tick()
    const { from, to } = await ledger.hgetall(keys.mallRepeated('mall_b'))
    return from === to
  }
  await expect.poll(isOver).toBe(true)
  const [calls, events] = [mall.calls(), await ledger.xlen(keys.mallEvents('mall_b'))]
  await tick()
  expect(mall.calls() - calls).toBe(1)
  expect(await ledger.xlen(keys.mallEvents('mall_b'))).toBe(events)
})

test('an operator has orders read again from a day on, while new ones are read on', async () => {
  const tick = nodeAhead(0)
  const missed = purchase(5 * 24 * HOUR_MS)
  await requestRepetition(shop.durable, 'mall_b', realNow() - 6 * 24 * HOUR_MS)
  await tick()
  const fresh = purchase()
  await tick()
  expect([await isKept(fresh), await isKept(missed)]).toEqual([true, false])
  await expect.poll(async () => {
    await tick()
    return await isKept(missed)
  }).toBe(true)
})
