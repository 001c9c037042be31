/** Books and lists that a lost master left wrong are named by verify and mended by rebuilds. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditAccount } from '../earnings/audit.ts'
import { readBalances, readBookEntries } from '../earnings/books.ts'
import { reconcileCommission, type Earned } from '../earnings/commission.ts'
import { orderSubject } from '../earnings/records.ts'
import { settleAccount } from '../earnings/lots.ts'
import { makeWithdrawal } from '../earnings/withdrawals.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { appendForAgent } from '../events/feed.ts'
import type { MoveName } from '../orders/states.ts'
import { ledger as keys } from '../redis/keys.ts'
import { CARD, OCTOBER_END } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, SHOP_SECRET, supplyProduct } from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { orderEffects } from './order-effects.ts'
import { rebuildEarnings, rebuildOrders } from './rebuild.ts'

const shop = await openOwnShop()
const { ledger } = shop
const secrets = createSecrets(SHOP_SECRET)
const COMPLETED: readonly MoveName[] = ['pay', 'accept', 'ship', 'deliver', 'complete']
/** At 5 %; of an order at the shop's price 129. */
const AMOUNT = 40_000
const SHARE = 2000

async function effects(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

/** An order after these moves, with all that follows it. */
async function orderAfter(moves: readonly MoveName[]) {
  const [product, buyer] = [await supplyProduct(ledger), newBuyer()]
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of moves) await shop.orders.move(name, orderNo)
  await effects()
  return { ...buyer, orderNo, partition: product.partition }
}
type Made = Awaited<ReturnType<typeof orderAfter>>

/** What an event brought that the order knows nothing of. */
const phantom = ({ account, agent, orderNo }: Made, given: Partial<Earned>): Promise<void> =>
  reconcileCommission(shop, orderSubject(orderNo), async () => ({
    account, agent, mode: 'sandbox', amount: AMOUNT, state: 'pending', paidAt: 1, ...given }))

/** About the order, its account or its agent. */
async function wrongAbout({ orderNo, account, agent }: Made): Promise<string[]> {
  const { violations } = await verifyLedger({ ledger, secrets, log: createLogger('silent') })
  return violations.filter(({ subject }) => [orderNo, account, agent].includes(subject))
    .map(({ invariant }) => invariant).toSorted()
}

async function entriesOf({ account }: Made): Promise<string[]> {
  const ids: string[] = []
  for await (const page of readBookEntries(shop, account)) {
    ids.push(...page.map(({ id }) => id.replace(/^order:[A-Z0-9]+/, '')))
  }
  expect((await auditAccount(shop, account)).violations).toEqual([])
  return ids
}

const balances = ({ account }: Made) => readBalances(shop, account)

describe('agentmall rebuild earnings', () => {
  test('takes a commission back whose order was never paid, and adds nothing the next time',
    async () => {
      const made = await orderAfter(['cancel'])
      await phantom(made, {})
      expect(await wrongAbout(made)).toEqual(['earned'])
      await rebuildEarnings(shop)
      expect(await wrongAbout(made)).toEqual([])
      expect(await balances(made)).toMatchObject({ platform: 0, pending: 0 })
      await rebuildEarnings(shop)
      expect(await entriesOf(made)).toEqual([':pending', ':reversed'])
    })

  test('brings back the commission of a completed order that was reversed', async () => {
    const made = await orderAfter(['pay'])
    await phantom(made, { state: 'reversed' })
    for (const name of COMPLETED.slice(1)) await shop.orders.move(name, made.orderNo)
    await effects()
    // The worker itself does it, when the next event of the order comes.
    expect(await wrongAbout(made)).toEqual([])
    await reconcileCommission(shop, orderSubject(made.orderNo), async () => ({
      account: made.account, agent: made.agent, mode: 'sandbox', amount: 2590, state: 'reversed' }))
    expect(await wrongAbout(made)).toEqual(['earned'])
    await rebuildEarnings(shop)
    expect(await wrongAbout(made)).toEqual([])
    expect(await balances(made)).toMatchObject({ platform: -129, pending: 0, confirmed: 129 })
    expect(await entriesOf(made)).toEqual([':pending', ':reversed', '#2:pending', '#2:confirmed',
      '#2:reversed', '#3:pending', '#3:confirmed'])
  })

  test('takes back what was settled and paid out for an order that was never paid: a debt',
    async () => {
      const made = await orderAfter(['cancel'])
      await phantom(made, { state: 'confirmed', confirmedAt: OCTOBER_END - 1 })
      await settleAccount(shop, made.account, OCTOBER_END)
      await makeWithdrawal({ ...shop, secrets }, made.account,
        { idempotency_key: randomUUID(), amount: SHARE, payee: CARD })
      expect(await wrongAbout(made)).toEqual(['earned'])
      await rebuildEarnings(shop)
      expect(await wrongAbout(made)).toEqual([])
      expect(await balances(made)).toMatchObject({ withdrawable: -SHARE, reserved: SHARE })
      expect(await ledger.zcard(keys.debts(made.account, 'sandbox'))).toBe(1)
      await entriesOf(made)
    })

  test('sets a confirmed commission back whose order is not completed any more', async () => {
    const made = await orderAfter(['pay'])
    await phantom(made, { amount: 2590, state: 'confirmed', confirmedAt: OCTOBER_END - 1 })
    expect(await wrongAbout(made)).toEqual(['earned'])
    await rebuildEarnings(shop)
    expect(await wrongAbout(made)).toEqual([])
    expect(await balances(made)).toMatchObject({ platform: -129, pending: 129, confirmed: 0 })
  })

  test('makes a commission of another amount again that an order placed anew has', async () => {
    const made = await orderAfter(['pay'])
    await ledger.hdel(keys.records(made.account, 'sandbox'), orderSubject(made.orderNo))
    for (const name of ['entries', 'posted', 'balances', 'records'] as const) {
      await ledger.del(keys[name](made.account, 'sandbox'))
    }
    await phantom(made, {})
    expect(await wrongAbout(made)).toEqual(['earned'])
    await rebuildEarnings(shop)
    expect(await wrongAbout(made)).toEqual([])
    expect(await balances(made)).toMatchObject({ pending: 129 })
  })

  test('takes a commission back whose order is not there at all', async () => {
    const made = { ...await orderAfter([]), orderNo: 'AM00ABCDEFGHJKMNPQRS' }
    await phantom(made, {})
    expect(await wrongAbout(made)).toEqual(['source'])
    expect(await rebuildEarnings(shop)).toMatchObject({ orphans: 1 })
    expect(await wrongAbout(made)).toEqual([])
    expect(await rebuildEarnings(shop)).toMatchObject({ orphans: 0 })
    expect(await entriesOf(made)).toEqual([':pending', ':reversed'])
  })
})

describe('agentmall rebuild orders', () => {
  test('takes off lists and feeds what a lost master alone knew, and nothing else', async () => {
    const made = await orderAfter(['pay', 'accept'])
    const whole = await ledger.xrange(keys.feed(made.agent), '-', '+')
    const at = Date.now()
    const ghost = { partition: made.partition, at, productId: 1, agent: made.agent }
    await appendForAgent(shop.durable, made.agent, [
      { ...ghost, id: '7-1', type: 'created', orderNo: 'AM00ABCDEFGHJKMNPQRS' },
      { ...ghost, id: '7-2', type: 'completed', orderNo: made.orderNo },
    ])
    expect(await wrongAbout(made)).toEqual(['feed', 'feed', 'list'])
    expect(await rebuildOrders(ledger)).toMatchObject({ removed: 1, feed: 2 })
    expect(await wrongAbout(made)).toEqual([])
    expect(await ledger.xrange(keys.feed(made.agent), '-', '+')).toEqual(whole)
    expect(await rebuildOrders(ledger)).toMatchObject({ removed: 0, added: 0, feed: 0 })
  })
})
