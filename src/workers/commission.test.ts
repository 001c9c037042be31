import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isoTime } from '../contract/time.ts'
import { auditAccount } from '../earnings/audit.ts'
import { readBalances, readBookEntries } from '../earnings/books.ts'
import { mergeTrial } from '../earnings/merge-trial.ts'
import { setTerms } from '../earnings/records.ts'
import type { MoveName } from '../orders/states.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'
import { orderEffects, reconcileCommissions } from './order-effects.ts'
import { ConsumerWorker } from './consumer.ts'

const shop = await openOwnShop()
const DONE: readonly MoveName[] = ['pay', 'accept', 'ship', 'deliver', 'complete']

/** An order at 19.90 and 6.00 freight, after these moves. */
async function order(moves: readonly MoveName[], buyer = newBuyer()) {
  const product = await supplyProduct(shop.ledger)
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of moves) await move(orderNo, name)
  return { orderNo, ...buyer, partition: product.partition }
}

async function move(orderNo: string, name: MoveName): Promise<void> {
  expect((await shop.orders.move(name, orderNo, name === 'ship'
    ? { detail: { waybill_no: 'SF1', express_co: '顺丰' } } : {})).code).toBe('moved')
}

/** What was done before has an earlier time than what is done after it. */
async function nextMoment(): Promise<void> {
  const now = await redisTimeMs(shop.ledger)
  await expect.poll(() => redisTimeMs(shop.ledger)).toBeGreaterThan(now)
}

const event = (orderNo: string, type: string) => ({
  id: '1-0', partition: 0, type, at: 1, productId: 1, orderNo,
})
const deliver = (orderNo: string, type: string) =>
  reconcileCommissions(shop, [event(orderNo, type)])

async function entriesOf(account: string): Promise<string[]> {
  const ids: string[] = []
  for await (const page of readBookEntries(shop, account)) {
    ids.push(...page.map(({ id }) => id.replace(/^.*:/, '')))
  }
  expect((await auditAccount(shop, account)).violations).toEqual([])
  return ids
}

describe('a commission', () => {
  test('is 5 % of the amount, floored: pending when paid, confirmed when completed', async () => {
    const { orderNo, account } = await order([])
    await deliver(orderNo, 'paid')
    expect(await entriesOf(account)).toEqual([])
    await move(orderNo, 'pay')
    await deliver(orderNo, 'paid')
    // 5 % of 2590 is 129.5.
    expect(await readBalances(shop, account)).toMatchObject(
      { platform: -129, pending: 129, confirmed: 0 })
    for (const name of DONE.slice(1)) await move(orderNo, name)
    await deliver(orderNo, 'completed')
    expect(await readBalances(shop, account)).toMatchObject(
      { platform: -129, pending: 0, confirmed: 129 })
    expect(await entriesOf(account)).toEqual(['pending', 'confirmed'])
  })

  test.each<[string, MoveName]>([['cancelled', 'cancel_paid'], ['refunded', 'refund_unshipped']])(
    'of an order that is %s is taken back', async (_, name) => {
      const { orderNo, account } = await order(['pay'])
      await deliver(orderNo, 'paid')
      await move(orderNo, name)
      await deliver(orderNo, 'refunded')
      await deliver(orderNo, 'closed')
      expect(await entriesOf(account)).toEqual(['pending', 'reversed'])
      expect(await readBalances(shop, account)).toMatchObject({ platform: 0, pending: 0 })
    })

  test('of a completed order that the operator refunds is taken back', async () => {
    const { orderNo, account } = await order(DONE)
    await deliver(orderNo, 'completed')
    await move(orderNo, 'refund_completed')
    await deliver(orderNo, 'refunded')
    expect(await entriesOf(account)).toEqual(['pending', 'confirmed', 'reversed'])
    expect(await readBalances(shop, account)).toMatchObject(
      { platform: 0, pending: 0, confirmed: 0 })
  })

  test('is the same in whatever order its events come, and however often', async () => {
    const { orderNo, account } = await order(DONE)
    await Promise.all(['completed', 'paid', 'paid', 'completed'].map((type) =>
      deliver(orderNo, type)))
    await deliver(orderNo, 'paid')
    expect(await entriesOf(account)).toEqual(['pending', 'confirmed'])
    const refunded = await order(['pay', 'cancel_paid'])
    await deliver(refunded.orderNo, 'refunded')
    await deliver(refunded.orderNo, 'paid')
    expect(await entriesOf(refunded.account)).toEqual(['void'])
  })

  test('of an order that was never paid does not come about', async () => {
    const { orderNo, account } = await order(['cancel'])
    await deliver(orderNo, 'closed')
    expect(await entriesOf(account)).toEqual([])
  })

  test('is by the terms at the moment of the payment, whenever its event comes', async () => {
    const buyer = newBuyer()
    await shop.ledger.hset(keys.account(buyer.account), 'kind', 'account')
    const [early, late] = [await order(['pay'], buyer), await order([], buyer)]
    await nextMoment()
    await setTerms(shop.durable, buyer.account, 700)
    await move(late.orderNo, 'pay')
    await nextMoment()
    await setTerms(shop.durable, buyer.account, 100)
    for (const { orderNo } of [late, early]) {
      await deliver(orderNo, 'paid')
      for (const name of DONE.slice(1)) await move(orderNo, name)
      await deliver(orderNo, 'completed')
    }
    // 5 % and 7 % of 2590.
    expect(await readBalances(shop, buyer.account)).toMatchObject({ confirmed: 129 + 181 })
    await entriesOf(buyer.account)
  })

  test('of a merged trial\'s order is the account\'s, by the terms when it was paid', async () => {
    const [trial, account] = [newBuyer(), newBuyer().account]
    await shop.ledger.hset(keys.account(trial.account), 'kind', 'trial')
    await shop.ledger.hset(keys.account(account), 'kind', 'account')
    await setTerms(shop.durable, account, 1000)
    const { orderNo } = await order(['pay'], trial)
    await deliver(orderNo, 'paid')
    const [heardLate, paidLate] = [await order(['pay'], trial), await order([], trial)]
    await nextMoment()
    await shop.durable.send('hset', keys.account(trial.account), 'merged_into', account,
      'merged_at', isoTime(await redisTimeMs(shop.ledger)))
    for (const name of DONE.slice(1)) await move(orderNo, name)
    await deliver(orderNo, 'completed')
    await move(paidLate.orderNo, 'pay')
    await deliver(heardLate.orderNo, 'paid')
    await deliver(paidLate.orderNo, 'paid')
    await mergeTrial(shop, trial.account, account)
    expect(await readBalances(shop, account)).toMatchObject(
      { confirmed: 129, pending: 129 + 259 })
    expect(await readBalances(shop, trial.account)).toMatchObject(
      { pending: 0, platform: 0 })
    await entriesOf(account)
    await entriesOf(trial.account)
  })
})

test('the consumer follows the outboxes', async () => {
  const { account } = await order(DONE)
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
  expect(await readBalances(shop, account)).toMatchObject({ confirmed: 129 })
  expect(await readBalances(shop, `ac_${randomUUID()}`)).toMatchObject({ confirmed: 0 })
})
