/** A life of earnings on a Redis Cluster: on any slots, while they move, and through a failover. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderLine } from '../../adapters/index.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import type { MoveName } from '../orders/states.ts'
import type { ClusterMember } from '../dev/redis/cluster.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { ask } from '../dev/redis/server.ts'
import { slotOf } from '../redis/send.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { CARD, openBooks } from '../testing/earnings-books.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, supplyProduct, type Shop,
} from '../testing/products.ts'
import { createSecrets } from '../secrets/derive.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { mallCommissionWorker } from '../workers/mall-orders.ts'
import { readBalances } from './books.ts'
import { mergeTrial } from './merge-trial.ts'
import { exportPayouts } from './payouts.ts'
import { settleAccount } from './lots.ts'
import { trace } from './trace.ts'
import { makeWithdrawal, markWithdrawal } from './withdrawals.ts'

const SOURCE = 'mall_b'
const secrets = createSecrets(SHOP_SECRET)
let cluster: OwnCluster
let shop: Shop
beforeAll(async () => {
  cluster = await startOwnCluster()
  shop = await openShop({}, { url: cluster.url, replicas: 1, patienceMs: PATIENCE_MS })
})
afterAll(async () => {
  shop.close()
  await cluster.remove()
})

const violations = async () =>
  (await verifyLedger({ ledger: shop.ledger, secrets, log: shop.log })).violations

/** The workers of a node, until they find nothing more. */
async function work(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, restMs: 0, sweepMs: 0 })
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
  const lines = mallCommissionWorker({ ...shop, source: SOURCE })
  while (await lines.tick()) { /* There is more. */ }
}

async function owner(kind: 'account' | 'trial') {
  const buyer = newBuyer()
  const { agent, account } = buyer
  await shop.ledger.hset(keys.account(account), { kind, [`member:${agent}`]: 'x' })
  await shop.ledger.hset(keys.agent(agent), { account, tier: 't1' })
  /** Of 25.90, so that it brings 129 fen. */
  const order = async (): Promise<void> => {
    const { order_no: orderNo } = await shop.orders.place(
      attemptAt(await supplyProduct(shop.ledger)), buyer)
    for (const name of ['pay', 'accept', 'ship', 'deliver', 'complete'] satisfies MoveName[]) {
      expect((await shop.orders.move(name, orderNo)).code).toBe('moved')
    }
  }
  return { agent, account, order, balances: () => readBalances(shop, account) }
}

/** Lines at a platform that bring 100 fen each: how they are reported, and their subjects. */
async function linesOf({ agent, account }: { agent: string, account: string }, count: number) {
  const mark = randomUUID().replaceAll('-', '')
  await shop.ledger.hset(keys.subId(SOURCE, mark), { agent, account })
  const ids = Array.from({ length: count }, () => randomUUID())
  let updated_at = 1_790_000_000_000
  const report = async (status: OrderLine['status'], chosen = ids): Promise<void> => {
    updated_at += 1000
    await Promise.all(chosen.map((id) => keepOrder(shop.ledger, {
      source: SOURCE, line_id: id, order_no: id, item_id: '1', title: '茶', qty: 1, amount: 2000,
      commission: { bps: null, fen: 0 }, status, mall_status: '1', sub_id: mark,
      ordered_at: 1, paid_at: 1, updated_at,
    }, 'sandbox')))
  }
  return { ids, report }
}

/** Orders of an account and a trial, merged, settled, paid out, and one of them taken back. */
async function life(): Promise<void> {
  const [own, trial] = [await owner('account'), await owner('trial')]
  const { ids, report } = await linesOf(own, 12)
  await report('received')
  await Promise.all([own.order(), trial.order()])
  await work()
  expect(await own.balances()).toMatchObject({ confirmed: 1329 })
  await mergeTrial(shop, trial.account, own.account)
  expect(await own.balances()).toMatchObject({ confirmed: 1458 })
  await settleAccount(shop, own.account, Infinity)
  const store = { ...shop, secrets }
  const { withdrawal_id: id } = await makeWithdrawal(store, own.account,
    { idempotency_key: randomUUID(), amount: 1400, payee: CARD })
  const { fen } = await exportPayouts({ ...store, accounts: [own.account] }, '2026-11', Infinity)
  expect(fen).toBe(1400)
  expect(await markWithdrawal(store, id, 'paid')).toBe('marked')
  const [first] = ids
  await report('invalid', ids.slice(0, 1))
  await work()
  expect(await own.balances()).toMatchObject({ withdrawable: -42, paid: 1400, reserved: 0 })
  const found: string[] = []
  for await (const line of trace(shop.ledger, `${SOURCE}:${first}`)) found.push(line.what)
  expect(found).toEqual(expect.arrayContaining(['order', 'lot', 'take', 'withdrawal', 'debt']))
}

test('orders, a merge, a settlement, a payout and a reversal after it, on any slots', async () => {
  await Promise.all([life(), life(), life(), life()])
  expect(await violations()).toEqual([])
})

test('the same while the accounts\' slots move', async () => {
  const state = { isOver: false, moves: 0 }
  const moving = (async () => {
    while (!state.isOver) {
      const masters = await cluster.masters()
      for (const master of masters) {
        const found = await ask(
          master.server, (redis) => redis.keys('acct:*'), PATIENCE_MS) as string[]
        const other = masters.find((one) => one !== master)
        const name = found[Math.floor(found.length * Math.random())]
        if (!other || name === undefined || state.isOver) continue
        await cluster.moveSlot(slotOf(name), other)
        state.moves += 1
      }
    }
  })()
  try {
    for (let turn = 0; turn < 5; turn += 1) await Promise.all([life(), life()])
  } finally {
    state.isOver = true
    await moving
  }
  expect(state.moves).toBeGreaterThan(5)
  expect(await violations()).toEqual([])
})

/** The account's slot is open for its journey while the work is done, and no key has gone. */
async function whileOpen(account: string, work: () => Promise<unknown>): Promise<void> {
  const slot = slotOf(keys.account(account))
  const from = await cluster.masterOf(slot)
  const to = (await cluster.masters()).find((one) => one !== from) ?? from
  const tell = (one: ClusterMember, ...words: (string | number)[]): Promise<unknown> =>
    ask(one.server, (redis) => redis.call('CLUSTER', ...words.map(String)), PATIENCE_MS)
  const [fromId, toId] = await Promise.all([from, to].map((one) => tell(one, 'MYID')))
  await tell(to, 'SETSLOT', slot, 'IMPORTING', String(fromId))
  await tell(from, 'SETSLOT', slot, 'MIGRATING', String(toId))
  try {
    await work()
  } finally {
    for (const one of [from, to]) await tell(one, 'SETSLOT', slot, 'STABLE')
  }
}

test('a posting that empties a set and fills it again is whole, also in an open slot', async () => {
  const { account } = await owner('account')
  const books = openBooks(shop, account)
  const line = randomUUID()
  const subject = `${SOURCE}:${line}`
  await shop.ledger.hset(keys.mallOrder(SOURCE, line), 'data', '{"updated_at":0}')
  const confirmed = { state: 'confirmed', confirmedAt: 1000 } as const
  await books.earn(subject, { ...confirmed, amount: 2000, version: 1 })
  // In an open slot a script runs only where all its keys are: those of the day are there by now.
  const others = (['lots', 'debts', 'withdrawals'] as const)
    .map((name) => keys[name](account, 'sandbox'))
  for (const key of others) await shop.ledger.zadd(key, 1, 'of nobody')
  await whileOpen(account, () => books.earn(subject, { ...confirmed, amount: 4000, version: 2 }))
  for (const key of others) await shop.ledger.zrem(key, 'of nobody')
  expect(await books.balances()).toMatchObject({ confirmed: 200, platform: -200 })
  expect(await shop.ledger.zrange(keys.confirmed(account, 'sandbox'), '0', '-1'))
    .toEqual([`${subject}#2`])
  await books.audit()
})

test('a master that dies in the middle of a settlement', async () => {
  const own = await owner('account')
  const { report } = await linesOf(own, 450)
  await report('received')
  await work()
  expect(await own.balances()).toMatchObject({ confirmed: 45_000 })
  const ownMaster = () => cluster.masterOf(slotOf(keys.account(own.account)))
  const dead = await ownMaster()
  let calls = 0
  const durable: Durable = {
    ...shop.durable,
    run(script, ...rest) {
      if ((calls += 1) === 3) process.kill(dead.server.pid, 'SIGKILL')
      return shop.durable.run(script, ...rest)
    },
  }
  const cut = settleAccount({ ...shop, durable }, own.account, Infinity).catch(() => undefined)
  await expect.poll(async () => (await ownMaster().catch(() => dead)).name)
    .not.toBe(dead.name)
  // Writes need a replica: the dead member comes back as one.
  await cluster.restart(dead)
  await cluster.untilWhole()
  await cut
  expect(calls).toBeGreaterThanOrEqual(3)
  await expect.poll(async () => {
    await settleAccount(shop, own.account, Infinity)
    return await own.balances()
  }).toMatchObject({ confirmed: 0, withdrawable: 45_000 })
  expect(await violations()).toEqual([])
})
