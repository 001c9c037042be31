/** The simulated world: always the same, and under a test's orders over HTTP too. */
import { expect, onTestFinished, test } from 'vitest'
import { simulate } from '../sandbox.ts'
import { createFakeClock, PRODUCTS, ASSORTMENT } from '../testing/stage.ts'
import { createAssortment, createCatalogue, idOf, indexOfId, tokensOf } from './catalogue.ts'
import { createSimOrders } from './orders.ts'

const offers = (mall: 'mall_a' | 'mall_b') => {
  const catalogue = createCatalogue(mall, createAssortment(PRODUCTS), {
    groupShare: 0.15, couponOn: 'price',
  })
  return PRODUCTS.map(({ index }) => catalogue.offer(index))
}

test('a mall is the same in every process, and each mall is its own', () => {
  expect(offers('mall_b')).toEqual(offers('mall_b'))
  const [a, b] = [offers('mall_a'), offers('mall_b')]
  const both = a.filter((one, index) => one && b[index])
  expect(both.length).toBeGreaterThan(PRODUCTS.length / 3)
  expect(both.filter((one) => one?.price === b[one?.product.index ?? 0]?.price).length)
    .toBeLessThan(both.length / 4)
})

test('the world has coupons that apply, coupons that do not, and group prices', () => {
  const all = offers('mall_b').filter((one) => one !== null)
  expect(all.some(({ coupon, expected }) => coupon && expected.coupon)).toBe(true)
  expect(all.some(({ coupon, expected }) => coupon && !expected.coupon)).toBe(true)
  expect(all.some(({ groupPrice }) => groupPrice !== null)).toBe(true)
})

test('ids are read back, and only by their own mall', () => {
  for (const index of [0, 7, 76_799]) {
    const id = idOf('mall_b', index)
    expect(indexOfId('mall_b', id)).toBe(index)
    expect(indexOfId('mall_a', id)).toBeNull()
  }
  expect([indexOfId('mall_b', ''), indexOfId('mall_b', '1'), indexOfId('mall_b', '1_1_1')])
    .toEqual([null, null, null])
})

test('searching finds words, numbers and pairs of characters, best first', () => {
  expect([...tokensOf('Ｍ-108 蓝牙耳机1.7L')]).toEqual(['m', '108', '蓝牙', '牙耳', '耳机', '1.7', 'l'])
  const [best] = ASSORTMENT.find('远岚 双肩包 M-107')
  expect(best?.index).toBe(107 - 100)
  expect(ASSORTMENT.find('zzz')).toEqual([])
})

test('with a pace, a paid order is received and then settled by itself', () => {
  const clock = createFakeClock()
  const orders = createSimOrders(clock, 1000)
  const offer = offers('mall_b').find((one) => one !== null)
  const order = orders.purchase({ index: 0, subId: '', echo: {} }, offer!, 1)
  const seen = () => orders.within(0, clock.now()).map(({ state }) => state)
  expect(seen()).toEqual(['paid'])
  clock.forward(1000)
  expect(seen()).toEqual(['received'])
  clock.forward(5000)
  expect(seen()).toEqual(['settled'])
  expect(order.updatedAt).toBe(order.orderedAt + 2000)
})

test('commands over HTTP need the token', async () => {
  const simulator = await simulate.mall_b({ clock: createFakeClock(), assortment: ASSORTMENT })
  onTestFinished(() => simulator.close())
  const tell = async (command: string, body: object, token = simulator.token) => {
    const answer = await fetch(`${simulator.url}/_sim/${command}`, {
      method: 'POST', headers: { 'x-sim-token': token }, body: JSON.stringify(body),
    })
    return [answer.status, await answer.json()]
  }
  expect(await tell('fault', { operation: '*', kind: 'html' }, 'guess')).toEqual([403, {}])
  expect(simulator.faults.take('x')).toBeNull()
  expect(await tell('fault', { operation: '*', kind: 'html' })).toEqual([200, {}])
  expect(simulator.faults.take('x')?.kind).toBe('html')
  expect(await tell('fault', { operation: '*', kind: 'fire' })).toEqual([400, {}])
  expect(await tell('purchase', { url: 'https://evil.example/?p=e30' })).toEqual([400, {}])
  expect(await tell('nothing', {})).toEqual([400, {}])
})
