import { randomUUID } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { partitionOfOrder } from '../contract/ids.ts'
import { ledger as keys } from '../redis/keys.ts'
import { followLive, openOwner } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'

const [node, other] = [await startTestNode(), await startTestNode()]
const { ledger } = node.services
/** Its merchant does nothing until a test says so. */
const still = await startTestNode({ sandboxStepMs: 3_600_000, sandboxCompleteMs: 3_600_000 })
afterAll(async () => {
  await still.stop()
  await node.stop()
  await other.stop()
})

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

async function follow(at: typeof node, cookie: string, id?: string) {
  const live = await followLive(at, cookie, id)
  onTestFinished(() => live.close())
  return live
}

async function buy(apiKey: string, isPaid = true, at = node): Promise<string> {
  const { idempotency_key, ...body } = attemptAt(await supplyProduct(at.services.ledger))
  const placed = await at.send('POST', '/v1/orders', {
    key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  const { order_no, pay_url } = placed.envelope.data
  const url = new URL(pay_url)
  if (isPaid) await fetch(`${at.url}${url.pathname}`, { method: 'POST', body: url.searchParams })
  return order_no
}

/** As the conversion of a link leaves it. */
async function visit(agent: string): Promise<void> {
  const code = randomUUID().replaceAll('-', '').slice(0, 12)
  await ledger.hset(keys.link(code),
    { url: 'https://mall.example/item', agent, source: 'mall_b', item: 'mall_b:1' })
  await fetch(`${node.url}/go/${code}`, { redirect: 'manual', headers: { 'User-Agent': PERSON } })
}

test('another node streams clicks, orders and commission while they happen', async () => {
  const { browser, agent, apiKey } = await openOwner(node)
  const { events, status } = await follow(other, browser.cookie)
  expect(status).toBe(200)
  await expect.poll(() => events.map(({ type }) => type)).toEqual(['ready'])
  await visit(agent)
  const orderNo = await buy(apiKey)
  const told = (type: string) => events.filter((event) => event.type === type)
    .map(({ data }) => data)
  await expect.poll(() => [
    ...told('order').map(({ event }) => event), ...told('commission').map(({ kind }) => kind),
  ]).toEqual(expect.arrayContaining(['completed', 'pending', 'confirmed']))
  await expect.poll(() => told('click'))
    .toEqual([{ at: expect.any(String), agent, source: 'mall_b', item: 'mall_b:1' }])
  await expect.poll(() => told('order').map(({ event }) => event))
    .toEqual(expect.arrayContaining(['created', 'paid', 'merchant_accepted', 'shipped']))
  expect(told('order')[0]).toMatchObject({ agent, order_no: orderNo })
  expect(told('commission')).toMatchObject([
    { kind: 'pending', about: orderNo, source: 'own', changes: { pending: 129 } },
    { kind: 'confirmed', about: orderNo, changes: { pending: -129, confirmed: 129 } },
  ])
})

test('a follower that reconnects to another node with the last id gets each event once',
  async () => {
    const { browser, apiKey } = await openOwner(node)
    const first = await follow(node, browser.cookie)
    await expect.poll(() => first.events.length).toBe(1)
    const told: string[] = []
    const orderNos: string[] = []
    let id = first.events[0]?.id
    await first.close()
    for (let round = 0; round < 4; round += 1) {
      for (let index = 0; index < 5; index += 1) orderNos.push(await buy(apiKey, false))
      const live = await follow(round % 2 ? node : other, browser.cookie, id)
      const isWhole = () => told.length + live.events.length >= orderNos.length
      // Cut off in the middle of what it is told, too.
      await expect.poll(() => round === 2 ? live.events.length > 1 : isWhole()).toBe(true)
      await live.close()
      told.push(...live.events.map(({ data }) => String(data['order_no'])))
      id = live.events.at(-1)?.id
    }
    // Orders of different products may change places on their way; each is told once.
    expect(told.toSorted()).toEqual(orderNos.toSorted())
  })

test('a reset is sent where entries were trimmed, and the rest follows', async () => {
  const { browser, agent, apiKey } = await openOwner(node)
  const first = await follow(node, browser.cookie)
  await buy(apiKey, false)
  await expect.poll(() => first.events.map(({ type }) => type))
    .toEqual(['ready', 'order'])
  await first.close()
  await ledger.del(keys.feed(agent))
  const orderNo = await buy(apiKey, false)
  const second = await follow(node, browser.cookie, first.events.at(-1)?.id)
  await expect.poll(() => second.events.map(({ type }) => type))
    .toEqual(['reset', 'order'])
  expect(second.events[1]?.data).toMatchObject({ order_no: orderNo })
})

test('a new follower gets the last events, and so does one with an invalid id', async () => {
  const { browser, apiKey } = await openOwner(node)
  const orderNo = await buy(apiKey, false)
  const early = await follow(node, browser.cookie)
  await expect.poll(() => early.events.length).toBe(2)
  await early.close()
  for (const id of [undefined, 'e=1', '~', 'x:ag_1=0-1', 'e=0-0~'.repeat(2000)]) {
    const live = await followLive(node, browser.cookie, id)
    if (live.status === 431) continue
    await expect.poll(() => live.events.map(({ type }) => type))
      .toEqual(['order', 'ready'])
    expect(live.events[0]).toMatchObject({ data: { order_no: orderNo } })
    expect(live.events[0]).not.toHaveProperty('id')
    await live.close()
  }
})

test('many events of one type leave a new follower those of another', async () => {
  const { browser, agent, apiKey } = await openOwner(node)
  const orderNo = await buy(apiKey, false)
  await expect.poll(() => ledger.xlen(keys.feed(agent))).toBe(1)
  for (let index = 0; index < 30; index += 1) await visit(agent)
  const { events } = await follow(node, browser.cookie)
  await expect.poll(() => events.at(-1)?.type).toBe('ready')
  expect(events.filter(({ type }) => type === 'order').map(({ data }) => data['order_no']))
    .toEqual([orderNo])
  expect(events.filter(({ type }) => type === 'click')).toHaveLength(20)
})

test('a step of an after-sale is sent once', async () => {
  const { browser, apiKey } = await openOwner(still)
  const { events } = await follow(still, browser.cookie)
  const orderNo = await buy(apiKey, true, still)
  const move = (name: string) => browser.call('POST', `/orders/${orderNo}/moves`, { move: name })
  for (const name of ['accept', 'ship', 'deliver']) await move(name)
  await still.send('POST', `/v1/orders/${orderNo}/aftersales`,
    { key: apiKey, body: { type: 'refund_only', reason_class: 'quality' } })
  const told = () => events.filter(({ type }) => type === 'order')
    .map(({ data }) => data['aftersale_status'] ?? data['event'])
  await expect.poll(told).toContain('aftersale_requested')
  await still.services.ledger.zadd(keys.afterDue(partitionOfOrder(orderNo) ?? 0), 'XX', 0, orderNo)
  await expect.poll(told).toContain('approved')
  await still.services.ledger.zadd(keys.afterDue(partitionOfOrder(orderNo) ?? 0), 'XX', 0, orderNo)
  await expect.poll(told).toContain('refunded')
  expect(told().filter((name) => name !== 'refunding')).toEqual(['created', 'paid',
    'merchant_accepted', 'shipped', 'delivered', 'aftersale_requested', 'approved', 'refunded'])
})

test('a follower gets nothing of another account, whatever positions its id has', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const live = await follow(node, stranger.browser.cookie, `e=0-0~o:${owner.agent}=0-0`)
  await buy(owner.apiKey, false)
  const own = await buy(stranger.apiKey, false)
  await expect.poll(() => live.events.length).toBe(1)
  expect(live.events[0]?.data).toMatchObject({ order_no: own })
})

test('events of an agent created meanwhile arrive, too', async () => {
  const { browser } = await openOwner(node)
  const { events } = await follow(other, browser.cookie)
  await expect.poll(() => events.length).toBe(1)
  const { api_key } = (await browser.call('POST', '/agents', { label: 'late' })).envelope.data
  const orderNo = await buy(api_key, false)
  await expect.poll(() => events.at(-1)?.data['order_no']).toBe(orderNo)
})

test('a sign-out ends the stream in every window and at every node', async () => {
  const { browser, apiKey } = await openOwner(node)
  const [here, there] = [await follow(node, browser.cookie), await follow(other, browser.cookie)]
  await expect.poll(() => [here, there].map(({ events }) => events.length))
    .toEqual([1, 1])
  await browser.call('DELETE', '/sessions')
  await Promise.all([here.ended, there.ended])
  await buy(apiKey, false)
  expect([...here.events, ...there.events].map(({ type }) => type)).toEqual(['ready', 'ready'])
})

test('an account has at most ten streams at a node, and a closed one makes room', async () => {
  const { browser } = await openOwner(node)
  const asked = await Promise.all(Array.from({ length: 14 }, () => follow(node, browser.cookie)))
  const open = asked.filter(({ status }) => status === 200)
  expect(open).toHaveLength(10)
  await expect.poll(() => open.every(({ events }) => events.length > 0)).toBe(true)
  expect((await follow(node, browser.cookie)).status).toBe(429)
  await open[0]?.close()
  await expect.poll(async () => (await follow(node, browser.cookie)).status).toBe(200)
})

test('an order at a platform is streamed at each of its statuses', async () => {
  const { browser, agent } = await openOwner(node)
  const { events } = await follow(node, browser.cookie)
  await expect.poll(() => events.length).toBe(1)
  // As the workers hand it to the feed.
  for (const status of ['paid', 'received', 'settled']) {
    await ledger.xadd(keys.feed(agent), '*', 'event', 'mall_order', 'at', Date.now(),
      'origin', `mall_b:1:${status}`, 'source', 'mall_b', 'mall_order_no', '2817', 'qty', 1,
      'amount', 12_900, 'item_id', 'mall_b:1', 'status', status)
  }
  await expect.poll(() => events.filter(({ type }) => type === 'mall_order')
    .map(({ data }) => data)).toEqual(['paid', 'received', 'settled'].map((status) => ({
    at: expect.any(String), agent, source: 'mall_b', mall_order_no: '2817', status,
    amount: 12_900,
  })))
})
