import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { exportPayouts } from '../earnings/payouts.ts'
import { makeWithdrawal, markWithdrawal } from '../earnings/withdrawals.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { createSecrets, hashKeysFrom, type Secrets } from '../secrets/derive.ts'
import { openReceiver } from '../orders/record.ts'
import { ledger as keys } from '../redis/keys.ts'
import { sealedUnder } from '../secrets/seal.ts'
import { CARD, openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, RECEIVER, SHOP_SECRET, supplyProduct } from '../testing/products.ts'
import { countSeals, resealAll, UNNAMED, type ResealOptions } from './reseal.ts'

const shop = await openOwnShop()
const { ledger, durable } = shop
beforeEach(async () => { await ledger.flushall() })

const NEXT = 'n'.repeat(32)
const kept = hashKeysFrom(SHOP_SECRET)
const [before, both, after] = [SHOP_SECRET, `${NEXT},${SHOP_SECRET}`, NEXT]
  .map((text) => createSecrets(text, kept)) as [Secrets, Secrets, Secrets]
const [oldId, newId] = [before.ids[0], after.ids[0]]
const place: ResealOptions = { ledger, durable, secrets: both }
const counted = async (secrets = both) => Object.fromEntries(await countSeals({ ledger, secrets }))
const NONE = { receivers: 0, payees: 0, addresses: 0, webhooks: 0 }

const orderKey = (orderNo: string) => keys.order(partitionOfOrder(orderNo) ?? 0, orderNo)
const receiverOf = async (orderNo: string): Promise<string> =>
  await ledger.hget(orderKey(orderNo), 'receiver') ?? ''

/** Orders under the old secret, their numbers. */
async function placed(count: number): Promise<string[]> {
  const product = await supplyProduct(ledger, { stock: count })
  const orders = await Promise.all(Array.from({ length: count }, () =>
    shop.orders.place(attemptAt(product), newBuyer())))
  return orders.map(({ order_no }) => order_no)
}

async function withdrawn(mode: 'sandbox' | 'live' = 'sandbox') {
  const own = { ...openBooks({ ...shop, mode }), secrets: before }
  await own.settled(1500)
  const { withdrawal_id: id } = await makeWithdrawal(own, own.account,
    { idempotency_key: randomUUID(), amount: 1000, payee: CARD })
  return { ...own, id }
}

async function registered(): Promise<string> {
  const account = `ac_${randomUUID()}`
  await ledger.hset(keys.login(account), {
    email: before.seal('email').seal('a@b.example', account), epoch: 1,
  })
  return account
}

test('everything that is kept sealed opens with the first secret alone afterwards', async () => {
  const [orderNo = ''] = await placed(3)
  const [pretended, real] = [await withdrawn(), await withdrawn('live')]
  const account = await registered()
  await ledger.hset(keys.webhook('wh_1'), 'secrets', before.seal('webhook').seal('[]', 'wh_1'))
  expect(await counted()).toEqual({
    [newId]: NONE, [oldId]: { receivers: 3, payees: 2, addresses: 1, webhooks: 1 },
  })
  expect(await resealAll(place))
    .toEqual({ receivers: 3, payees: 2, addresses: 1, webhooks: 1, unreadable: 0 })
  expect(await counted(after))
    .toEqual({ [newId]: { receivers: 3, payees: 2, addresses: 1, webhooks: 1 } })
  expect(openReceiver(await receiverOf(orderNo), orderNo, after.seal('receiver'))).toEqual(RECEIVER)
  const address = await ledger.hget(keys.login(account), 'email') ?? ''
  expect(after.seal('email').open(address, account)).toBe('a@b.example')
  for (const own of [pretended, real]) {
    const { csv } = await exportPayouts({ ...own, secrets: after }, '2026-11', Infinity)
    expect(csv).toContain(own.mode === 'live' ? '4111111111111111' : '**** 1111')
    expect(await markWithdrawal(own, own.id, 'paid')).toBe('marked')
    await own.audit()
  }
  expect(await resealAll(place)).toEqual({ ...NONE, unreadable: 0 })
})

test('envelopes from before they named a secret are sealed anew under one that has a name',
  async () => {
    const older = 'the-one-secret-of-a-ledger-from-before'
    await ledger.hset(keys.login('ac_1'), 'email',
      'e1.DvM1mxpAWiAweDeR4nsOfJOA3bpB_srMfXqZXF9DiCD1WBS-PF5r')
    expect((await counted())[UNNAMED]).toEqual({ ...NONE, addresses: 1 })
    expect(await resealAll(place)).toEqual({ ...NONE, unreadable: 1 })
    const secrets = createSecrets(`${NEXT},${older}`, kept)
    expect(await resealAll({ ...place, secrets })).toMatchObject({ addresses: 1, unreadable: 0 })
    const address = await ledger.hget(keys.login('ac_1'), 'email') ?? ''
    expect(after.seal('email').open(address, 'ac_1')).toBe('a@b.example')
  })

test('a run that was killed is begun again and does what is left', async () => {
  const orderNos = await placed(60)
  let left = 25
  const dying: ResealOptions['durable'] = {
    ...durable,
    run: (...call) => (left-- > 0 ? durable.run(...call) : Promise.reject(new Error('killed'))),
  }
  await expect(resealAll({ ...place, durable: dying })).rejects.toThrow('killed')
  await expect.poll(async () => (await counted())[newId]?.receivers).toBe(25)
  expect(await resealAll(place)).toMatchObject({ receivers: 35, unreadable: 0 })
  for (const orderNo of orderNos) {
    expect(openReceiver(await receiverOf(orderNo), orderNo, after.seal('receiver')))
      .toEqual(RECEIVER)
  }
})

test('what others change meanwhile stays changed, and what they remove stays away', async () => {
  const own = await withdrawn()
  const [gone = ''] = await placed(1)
  const account = await registered()
  await exportPayouts(own, '2026-11', Infinity)
  let isMarked = false
  const racing: ResealOptions['durable'] = {
    ...durable,
    async run(script, names, args) {
      if (script.name === 'field-replace' && !isMarked) {
        isMarked = true
        expect(await markWithdrawal(own, own.id, 'paid')).toBe('marked')
        await ledger.del(orderKey(gone), keys.login(account))
      }
      return await durable.run(script, names, args)
    },
  }
  expect(await resealAll({ ...place, durable: racing })).toMatchObject({ payees: 1 })
  const record = await ledger.hget(keys.records(own.account, 'sandbox'), `withdrawal:${own.id}`)
  expect(JSON.parse(record ?? '')).toMatchObject({ state: 'paid', amount: 1000 })
  expect(sealedUnder((JSON.parse(record ?? '') as { payee: string }).payee)).toBe(newId)
  expect(await ledger.exists(orderKey(gone), keys.login(account))).toBe(0)
  await own.audit()
})

test('a secret that SECRET does not name is counted, and its values stay as they are', async () => {
  const [orderNo = ''] = await placed(1)
  const envelope = await receiverOf(orderNo)
  expect(await resealAll({ ...place, secrets: after })).toEqual({ ...NONE, unreadable: 1 })
  expect(await counted(after)).toEqual({ [newId]: NONE, [oldId]: { ...NONE, receivers: 1 } })
  expect(await receiverOf(orderNo)).toBe(envelope)
})

test('an order keeps the time at which it is dropped', async () => {
  const [orderNo = ''] = await placed(1)
  await ledger.pexpire(orderKey(orderNo), 3_600_000)
  const ends = await ledger.pexpiretime(orderKey(orderNo))
  await resealAll(place)
  expect(sealedUnder(await receiverOf(orderNo))).toBe(newId)
  expect(await ledger.pexpiretime(orderKey(orderNo))).toBe(ends)
})
