import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { createWebhook } from '../operations/create-webhook.ts'
import { ledger as keys } from '../redis/keys.ts'
import { listWebhookAttempts } from '../operations/list-webhook-attempts.ts'
import { buyAt } from '../testing/buy.ts'
import { openOwner } from '../testing/console.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { answerOk, startReceiver } from '../testing/receiver.ts'
import { FAILING_MS_MAX } from './deliveries.ts'
import { KEPT_MS } from './endpoints.ts'

let node: TestNode
beforeAll(async () => { node = await startTestNode() })
afterAll(() => node.stop())

const buy = (key: string): Promise<string> => buyAt(node, key)

async function openReceiver() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

const stateOf = async (key: string): Promise<string[]> =>
  (await node.send('GET', '/v1/webhooks', { key })).envelope.data.webhooks
    .map(({ state }: { state: string }) => state)

test('every step of an order arrives in order, signed so that the official library agrees',
  async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    const made = await node.rest(createWebhook, { url: receiver.url, events: ['order.*'] }, key)
    expect(made.status).toBe(200)
    const { secret, webhook_id } = made.envelope.data
    await expect.poll(() => stateOf(key)).toEqual(['active'])
    const orderNo = await buy(key)
    await expect.poll(() => receiver.events.map(({ event }) => event.type)).toEqual([
      'order.created', 'order.paid', 'order.accepted', 'order.shipped', 'order.delivered',
      'order.completed',
    ])
    const webhook = new Webhook(secret)
    for (const { headers, body, event } of receiver.events) {
      expect(webhook.verify(body, headers)).toEqual(event)
      expect(headers['webhook-id']).toBe(event.id)
      expect(event.data).toMatchObject({ order_no: orderNo })
    }
    const attemptsAt = async () =>
      (await node.rest(listWebhookAttempts, { webhook_id, subject: orderNo }, key)).envelope.data
        .attempts
    await expect.poll(attemptsAt).toHaveLength(6)
    expect((await attemptsAt())[0])
      .toMatchObject({ type: 'order.completed', status: 204, outcome: 'done', attempt: 1 })
  })

async function openHook(key: string, events = ['order.*']) {
  const receiver = await openReceiver()
  const made = await node.rest(createWebhook, { url: receiver.url, events }, key)
  await expect.poll(() => stateOf(key)).toEqual(['active'])
  return { receiver, ...made.envelope.data as { webhook_id: string, secret: string } }
}

const call = async (key: string, method: string, path: string, body?: object) =>
  (await node.send(method, `/v1/webhooks${path}`, { key, ...(body && { body }) })).envelope.data

test('an event that is refused is sent again with its id, and the order\'s next ones wait',
  async () => {
    const key = await node.newKey()
    const { receiver, webhook_id } = await openHook(key)
    let isRefused = false
    receiver.answer = (received, response) => {
      const isBad = received.event.type === 'order.paid' && !isRefused
      isRefused ||= isBad
      response.writeHead(isBad ? 500 : 200).end('so it is')
    }
    const orderNo = await buy(key)
    const attemptsAt = async () =>
      (await call(key, 'GET', `/${webhook_id}/attempts?subject=${orderNo}`)).attempts
    // The second attempt follows after some seconds: once, when the first is settled and none is
    // under way that this would let go twice, the test makes it due.
    await expect.poll(attemptsAt).toMatchObject([{ outcome: 'later' }, {}])
    await node.services.ledger.zadd(keys.webhookDue(webhook_id), 'XX', 0, orderNo)
    await expect.poll(() => receiver.events.length).toBe(7)
    const types = receiver.events.map(({ event }) => event.type)
    expect(types).toEqual(['order.created', 'order.paid', 'order.paid', 'order.accepted',
      'order.shipped', 'order.delivered', 'order.completed'])
    const [, one, again] = receiver.events
    expect(again?.event.id).toBe(one?.event.id)
    expect(again?.body).toBe(one?.body)
    await expect.poll(async () =>
      (await attemptsAt()).map(({ status }: { status: number }) => status))
      .toEqual([200, 200, 200, 200, 200, 500, 200])
    expect((await attemptsAt())[5])
      .toMatchObject({ outcome: 'later', answer: 'so it is', attempt: 1 })
  })

test('another key, and an account\'s other agent, sees no endpoint of this one', async () => {
  const [key, stranger] = [await node.newKey(), await node.newKey()]
  const { webhook_id } = await openHook(key)
  for (const [method, path] of [['PATCH', ''], ['DELETE', ''], ['POST', '/secret'],
    ['POST', '/test'], ['GET', '/attempts']] as const) {
    const body = method === 'GET' ? undefined : {}
    expect(await call(stranger, method, `/${webhook_id}${path}`, body), `${method} ${path}`)
      .toMatchObject({ error: 'not_found' })
  }
  expect(await call(stranger, 'GET', '')).toEqual({ webhooks: [] })
})

test('an entry that nobody can read is passed over, and what follows it is delivered', async () => {
  const { apiKey: key, agent, account } = await openOwner(node)
  const { receiver } = await openHook(key)
  const { ledger } = node.services
  await ledger.xadd(keys.feed(agent), '*', 'event', 'key_rotated', 'ends_at', 'never')
  await ledger.xadd(keys.clicks(agent), '*', 'at', '9e99', 'source', 'mall_b')
  await ledger.xadd(keys.entries(account, 'sandbox'), '*', 'id', 'broken', 'facts', '{')
  const orderNo = await buy(key)
  await expect.poll(() => receiver.events.map(({ event }) => event.type))
    .toEqual(expect.arrayContaining(['order.created', 'order.completed']))
  const { envelope } = await node.send('GET', '/v1/events?types=order.*', { key })
  expect(envelope.data.events).toHaveLength(6)
  expect(envelope.data.events[5].data).toMatchObject({ order_no: orderNo })
})

test('while a secret is rotated both verify, and what is at rest shows neither', async () => {
  const key = await node.newKey()
  const { receiver, webhook_id, secret } = await openHook(key, ['webhook.test'])
  const { secret: newer } = await call(key, 'POST', `/${webhook_id}/secret`, {})
  await call(key, 'POST', `/${webhook_id}/test`, {})
  await expect.poll(() => receiver.events.length).toBe(1)
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.events
  for (const one of [secret, newer]) new Webhook(one).verify(body, headers)
  expect(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(body, headers)).toThrow(/signature/)
  const kept = await node.services.ledger.hgetall(keys.webhook(webhook_id))
  expect(JSON.stringify(kept)).not.toContain(secret.slice(6))
  expect(JSON.stringify(kept)).not.toContain(newer.slice(6))
})

test('an endpoint that answers 410 is disabled, an event says so, and it comes back proven',
  async () => {
    const key = await node.newKey()
    const { receiver, webhook_id } = await openHook(key, ['webhook.test'])
    receiver.answer = (_, response) => response.writeHead(410).end()
    await call(key, 'POST', `/${webhook_id}/test`, {})
    await expect.poll(() => stateOf(key)).toEqual(['disabled'])
    const told = async () => (await node.send('GET', '/v1/events', { key })).envelope.data.events
    await expect.poll(told)
      .toMatchObject([{ type: 'webhook.disabled', data: { webhook_id, reason: 'gone' } }])
    receiver.answer = answerOk
    expect(await call(key, 'PATCH', `/${webhook_id}`, { enabled: true }))
      .toMatchObject({ state: 'unproven' })
    await expect.poll(() => stateOf(key)).toEqual(['active'])
  })

test('what waited for an endpoint that was disabled is delivered when it is back, in order',
  async () => {
    const key = await node.newKey()
    const { receiver, webhook_id } = await openHook(key)
    receiver.answer = (_, response) => response.writeHead(410).end()
    const orderNo = await buy(key)
    await expect.poll(() => stateOf(key)).toEqual(['disabled'])
    const { ledger } = node.services
    expect(await ledger.pttl(keys.webhookQueue(webhook_id))).toBeGreaterThan(0)
    receiver.answer = answerOk
    const { length: refused } = receiver.events
    await call(key, 'PATCH', `/${webhook_id}`, { enabled: true })
    await expect.poll(() => receiver.events.slice(refused).map(({ event }) => event.type)).toEqual([
      'order.created', 'order.paid', 'order.accepted', 'order.shipped', 'order.delivered',
      'order.completed',
    ])
    expect(new Set(receiver.events.map(({ event }) => event.id)).size).toBe(6)
    expect(receiver.events.every(({ event }) =>
      (event.data as { order_no: string }).order_no === orderNo)).toBe(true)
    await expect.poll(() => call(key, 'GET', '')).toMatchObject({ webhooks: [{ waiting: 0 }] })
  })

test('an endpoint that its owner disables keeps what waits, for seven days', async () => {
  const key = await node.newKey()
  const { receiver, webhook_id } = await openHook(key)
  const { ledger } = node.services
  receiver.answer = (_, response) => response.writeHead(500).end()
  await buy(key)
  await expect.poll(() => receiver.events.length).toBe(1)
  expect(await call(key, 'PATCH', `/${webhook_id}`, { enabled: false }))
    .toMatchObject({ state: 'disabled' })
  const [queueMs, dueMs] = [await ledger.pttl(keys.webhookQueue(webhook_id)),
    await ledger.pttl(keys.webhookDue(webhook_id))]
  expect([queueMs, dueMs].every((ms) => ms > KEPT_MS - 60_000 && ms <= KEPT_MS)).toBe(true)
  await ledger.del(keys.webhookQueue(webhook_id), keys.webhookDue(webhook_id))
  receiver.answer = answerOk
  await call(key, 'PATCH', `/${webhook_id}`, { enabled: true })
  await expect.poll(() => stateOf(key)).toEqual(['active'])
  // Their time was over: nothing is said to wait that does not.
  await expect.poll(async () => (await call(key, 'GET', '')).webhooks[0].waiting).toBe(0)
})

test('an endpoint that has failed for three days is disabled by the next failure', async () => {
  const key = await node.newKey()
  const { receiver, webhook_id } = await openHook(key, ['webhook.test'])
  receiver.answer = (_, response) => response.writeHead(503).end()
  await node.services.ledger.hset(keys.webhook(webhook_id), 'failing_since',
    Date.now() - FAILING_MS_MAX)
  await call(key, 'POST', `/${webhook_id}/test`, {})
  await expect.poll(() => call(key, 'GET', ''))
    .toMatchObject({ webhooks: [{ state: 'disabled', reason: 'failing' }] })
})

test('a receiver that does not answer the challenge gets nothing else', async () => {
  const key = await node.newKey()
  const server = createServer((request, response) => {
    bodies.push(request.headers['webhook-id'] as string)
    response.end('{}')
  })
  const bodies: string[] = []
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  onTestFinished(() => { server.close() })
  const { port } = server.address() as AddressInfo
  const made = await node.rest(createWebhook, { url: `http://127.0.0.1:${port}/` }, key)
  const { webhook_id } = made.envelope.data
  await buy(key)
  await expect.poll(async () => (await call(key, 'GET', `/${webhook_id}/attempts`)).attempts)
    .toMatchObject([{ type: 'webhook.challenge', problem: 'the challenge was not answered' }])
  expect(await stateOf(key)).toEqual(['unproven'])
  expect(bodies).toHaveLength(1)
})

test('what happened since a time, and one event of the log, are sent again with their ids',
  async () => {
    const key = await node.newKey()
    const { receiver, webhook_id } = await openHook(key)
    const since = new Date(Date.now() - 60_000).toISOString()
    await buy(key)
    await expect.poll(() => receiver.events.length).toBe(6)
    expect(await call(key, 'POST', `/${webhook_id}/resend`, { since })).toEqual({ queued: 6 })
    await expect.poll(() => receiver.events.length).toBe(12)
    const ids = receiver.events.map(({ event }) => event.id)
    expect(ids.slice(6)).toEqual(ids.slice(0, 6))
    expect(await call(key, 'POST', `/${webhook_id}/resend`, { event_id: ids[2] }))
      .toEqual({ queued: 1 })
    await expect.poll(() => receiver.events.at(12)?.event.id).toBe(ids[2])
    expect(await call(key, 'POST', `/${webhook_id}/resend`, {}))
      .toMatchObject({ error: 'invalid_request' })
  })

test('an account has ten endpoints, and one that is deleted makes room', async () => {
  const key = await node.newKey()
  const url = 'http://127.0.0.1:9/hook'
  const made = await Promise.all(Array.from({ length: 11 }, () =>
    node.rest(createWebhook, { url, events: ['webhook.test'] }, key)))
  expect(made.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(made.find(({ status }) => status !== 200)?.envelope.data.error).toBe('webhook_limit')
  const { webhooks } = await call(key, 'GET', '')
  await call(key, 'DELETE', `/${webhooks[0].webhook_id}`, {})
  expect((await node.rest(createWebhook, { url }, key)).status).toBe(200)
  for (const { webhook_id } of (await call(key, 'GET', '')).webhooks) {
    await call(key, 'DELETE', `/${webhook_id}`, {})
  }
  expect(await call(key, 'GET', '')).toEqual({ webhooks: [] })
})
