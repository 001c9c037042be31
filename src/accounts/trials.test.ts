/** Trials end by themselves, and stay for good once they earned, were bound or got another tier. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLinks } from '../affiliate/links.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import { earnedByLine } from '../earnings/commission.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readWith } from '../redis/send.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'
import { trialsWorker } from '../workers/index.ts'
import { ApiKeys, type NewKey } from './api-keys.ts'
import { newAccountId, openAccounts } from './testing/accounts.ts'
import { renewTrial } from './trials.ts'

const DAY_MS = 86_400_000
const parts = await openAccounts()
const { ledger, secrets, durable, apiKeys } = parts
afterAll(() => parts.close())

type Trial = NewKey & { readonly bindingCode: string }
const newTrial = (): Promise<Trial> => apiKeys.createTrialKey('192.0.2.7')
/** Another node, which has cached nothing. */
const anotherNode = (): ApiKeys =>
  new ApiKeys({ ...parts, takeTrial: async () => undefined })
const namesOf = (trial: Trial): string[] => [
  keys.account(trial.account), keys.binding(secrets.keyHash(trial.bindingCode)),
  keys.key(secrets.keyHash(trial.apiKey)), keys.agent(trial.agent),
]
const daysOf = (trial: Trial): Promise<number[]> =>
  Promise.all(namesOf(trial).map(async (name) => await ledger.pttl(name) / DAY_MS))
const setDays = (trial: Trial, days: number): Promise<unknown> =>
  Promise.all(namesOf(trial).map((name) => ledger.pexpire(name, days * DAY_MS)))
const FOR_GOOD = [-1, -1, -1, -1].map((ms) => ms / DAY_MS)

test('a trial that nobody uses ends after eight days, with all that belongs to it', async () => {
  const trial = await newTrial()
  const days = await daysOf(trial)
  expect(Math.min(...days)).toBeGreaterThan(7.9)
  expect(Math.max(...days)).toBeLessThan(8.1)
  // The account outlives its agent, which names it.
  expect(days[0]).toBeGreaterThan(days[3] as number)
})

test('a call puts the end off, at most once a day', async () => {
  const trial = await newTrial()
  await setDays(trial, 6.9)
  await anotherNode().lookup(trial.apiKey)
  await expect.poll(async () => Math.min(...await daysOf(trial))).toBeGreaterThan(7.9)
  await setDays(trial, 7.5)
  const commands: string[] = []
  const watched = new Proxy(ledger, { get: (target, name) => {
    commands.push(String(name))
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  } })
  await new ApiKeys({ ...parts, ledger: watched, takeTrial: async () => undefined })
    .lookup(trial.apiKey)
  expect(commands).toContain('multi')
  expect(commands).not.toContain('pttl')
  expect(Math.max(...await daysOf(trial))).toBeLessThan(7.6)
})

test('a key of an account has no end', async () => {
  const { apiKey, agent } = await apiKeys.createKey({ tier: 't1', label: 'kept' })
  await anotherNode().lookup(apiKey)
  expect(await ledger.pttl(keys.agent(agent))).toBe(-1)
})

describe('a trial stays for good', () => {
  test('when its code is entered, with its key and all', async () => {
    const [trial, account] = [await newTrial(), newAccountId()]
    await ledger.hset(keys.account(account), { kind: 'account', state: 'active' })
    await parts.accounts.joinTrial(account, trial.bindingCode, '192.0.2.8')
    expect(await daysOf(trial)).toEqual(FOR_GOOD)
    expect(await anotherNode().lookup(trial.apiKey)).toMatchObject({ account, tier: 't1' })
  })

  test('but not when the account that the code is entered in has no room', async () => {
    const [trial, account] = [await newTrial(), newAccountId()]
    await ledger.hset(keys.account(account), { kind: 'account', state: 'active' })
    for (let agents = 0; agents < 5; agents += 1) {
      await apiKeys.createKey({ tier: 't1', label: 'full', account })
    }
    await expect(parts.accounts.joinTrial(account, trial.bindingCode, '192.0.2.8')).rejects
      .toMatchObject({ error: 'agent_limit' })
    expect(Math.max(...await daysOf(trial))).toBeLessThan(8.1)
  })

  test('when the operator gives its agent a tier', async () => {
    const trial = await newTrial()
    await parts.agents.setTier(trial.agent, 't2')
    expect(await daysOf(trial)).toEqual(FOR_GOOD)
  })

  test('also where the renewal of a call comes at the same moment', async () => {
    const trial = await newTrial()
    await setDays(trial, 1)
    await Promise.all([
      parts.agents.setTier(trial.agent, 't2'),
      renewTrial(parts, trial.account), renewTrial(parts, trial.account),
    ])
    expect(await daysOf(trial)).toEqual(FOR_GOOD)
  })
})

describe('over REST', () => {
  let node: TestNode
  beforeAll(async () => { node = await startTestNode() })
  afterAll(() => node.stop())

  async function order(): Promise<{ trial: Trial, order_no: string }> {
    const { api_key: apiKey, binding_code: bindingCode, agent_ref: agent } =
      (await node.send('POST', '/v1/trial-keys', { body: {} })).envelope.data
    const found = await node.services.apiKeys.lookup(apiKey)
    const product = await supplyProduct(ledger, { stock: 100 })
    const { idempotency_key, ...body } = attemptAt(product)
    const { envelope } = await node.send('POST', '/v1/orders', {
      key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
    })
    const trial = { apiKey, bindingCode, agent, account: found?.account ?? '', tier: 'trial' }
    return { trial, order_no: envelope.data.order_no }
  }
  const daysAtNode = (trial: Trial): Promise<number[]> =>
    Promise.all([keys.account(trial.account), keys.agent(trial.agent)]
      .map(async (name) => await ledger.pttl(name) / DAY_MS))

  test('a trial whose order was paid stays for good', async () => {
    const { trial, order_no } = await order()
    expect(Math.max(...await daysAtNode(trial))).toBeLessThan(8.1)
    await node.services.orders.move('pay', order_no)
    await expect.poll(() => ledger.hget(keys.account(trial.account), 'kept')).toBe('yes')
    expect(await daysAtNode(trial)).toEqual(FOR_GOOD.slice(2))
  })

  test('a refused key of an ended trial says what to do; its order closes as any other',
    async () => {
      const { trial, order_no } = await order()
      await ledger.del(keys.agent(trial.agent))
      await expect.poll(async () => (await node.send('GET', '/v1/orders', { key: trial.apiKey }))
        .status).toBe(401)
      const { envelope } = await node.send('GET', '/v1/orders', { key: trial.apiKey })
      expect(envelope.data).toMatchObject({ error: 'key_invalid' })
      expect(envelope.data.hint).toMatch(/7 days without a call.*POST \/v1\/trial-keys/)
      expect((await node.services.orders.move('cancel', order_no)).code).toBe('moved')
    })
})

test('a mark of a trial has it last as long as the mark; what comes later is nobody\'s',
  async () => {
    const trial = await newTrial()
    const links = createLinks({
      ...parts, publicUrl: 'https://mall.test', shopPages: { toOpen: (_, url) => url },
    })
    const source = { name: 'mall_a', capabilities: { attribution: 'sub_id' } }
    const mark = await links.subId(source as never, { ...trial, client: {} } as never) as string
    const days = await daysOf(trial)
    expect(Math.min(...days)).toBeGreaterThan(60)
    const markDays = await ledger.pttl(keys.subId('mall_a', mark)) / DAY_MS
    expect(markDays).toBeLessThanOrEqual(Math.min(...days))
    await anotherNode().lookup(trial.apiKey)
    expect(Math.min(...await daysOf(trial))).toBeGreaterThan(60)

    const line = `line-of-${trial.agent}`
    await keepOrder(ledger, {
      source: 'mall_a', line_id: line, order_no: line, sub_id: mark, status: 'paid', amount: 1000,
      updated_at: 1, paid_at: 1, ordered_at: 1, item_id: null, title: 'x', qty: 1,
    } as never, 'sandbox')
    const read = readWith(ledger)
    expect(await earnedByLine(read, 'mall_a', line)).toMatchObject({ account: trial.account })
    await ledger.del(keys.subId('mall_a', mark), ...namesOf(trial))
    expect(await earnedByLine(read, 'mall_a', line)).toBeUndefined()
  })

describe('trials of older code', () => {
  /** As older code made it. */
  async function oldTrial(): Promise<Trial> {
    const trial = await newTrial()
    for (const name of namesOf(trial)) await ledger.persist(name)
    await ledger.hdel(keys.account(trial.account), 'binding')
    return trial
  }

  test('get an end once, except those that earned or were bound', async () => {
    const [idle, earner, bound] = [await oldTrial(), await oldTrial(), await oldTrial()]
    await ledger.hset(keys.posted(earner.account, 'sandbox'), 'calls', 1)
    await ledger.hset(keys.account(bound.account), 'merged_into', newAccountId())
    await ledger.del(keys.trialsNoted)
    await trialsWorker(parts).begin?.()
    expect(Math.min(...await daysOf(idle))).toBeGreaterThan(7.9)
    expect(await daysOf(earner)).toEqual(FOR_GOOD)
    expect(await daysOf(bound)).toEqual(FOR_GOOD)
    await setDays(idle, 1)
    await anotherNode().lookup(idle.apiKey)
    await expect.poll(async () => Math.min(...await daysOf(idle))).toBeGreaterThan(7.9)

    const late = await oldTrial()
    await trialsWorker(parts).begin?.()
    expect(await daysOf(late)).toEqual(FOR_GOOD)
    await durable.send('del', keys.account(late.account))
  })

  test('are looked at again where the first look was cut off', async () => {
    const trial = await oldTrial()
    await ledger.del(keys.trialsNoted)
    const cut = { ...durable, run: () => Promise.reject(new Error('cut off')) }
    await expect(trialsWorker({ ...parts, durable: cut }).begin?.()).rejects.toThrow('cut off')
    expect(await ledger.exists(keys.trialsNoted)).toBe(0)
    await trialsWorker(parts).begin?.()
    expect(Math.min(...await daysOf(trial))).toBeGreaterThan(7.9)
  })
})
