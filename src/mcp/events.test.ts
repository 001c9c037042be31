/** The Events extension against a whole node: poll, webhooks, and who may have which. */
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { SUBSCRIBABLE } from '../events/occurrences.ts'
import { signedHeaders } from '../events/signing.ts'
import { SUBSCRIPTIONS_MAX } from '../events/subscriptions.ts'
import { ledger as keys } from '../redis/keys.ts'
import { buyAt } from '../testing/buy.ts'
import { MODERN_META } from '../testing/mcp.ts'
import { startTestNode } from '../testing/node.ts'
import { type Answer, startReceiver } from '../testing/receiver.ts'

const node = await startTestNode()
afterAll(() => node.stop())

const newSecret = (bytes = 32): string => `whsec_${randomBytes(bytes).toString('base64')}`

/** A result, or the error's code and data. */
// oxlint-disable-next-line typescript/no-explicit-any
async function ask(key: string | undefined, method: string, params: object = {}): Promise<any> {
  const response = await fetch(`${node.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json', 'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method, ...(key && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0', id: 1, method, params: { _meta: MODERN_META, ...params },
    }),
  })
  const { result, error } = await response.json() as { result?: object, error?: object }
  return result ?? error
}

const buy = (key: string): Promise<string> => buyAt(node, key)

async function openReceiver(answer?: Answer) {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  if (answer) receiver.answer = answer
  return receiver
}

interface Wish {
  readonly secret?: string
  readonly cursor?: string
  readonly ttlMs?: number | null
  readonly maxAgeMs?: number
}

/** What a client sends to subscribe, but for what is given. */
const wish = (url: string, { secret = newSecret(), ...more }: Wish = {}) =>
  ({ name: 'order.paid', delivery: { mode: 'webhook', url, secret }, ...more })

describe('what there is', () => {
  test('a client is told of the extension, where its drafts had it, too', async () => {
    const { capabilities, instructions } = await ask(undefined, 'server/discover')
    expect(capabilities).toEqual({
      tools: {}, events: {}, extensions: { 'io.modelcontextprotocol/events': {} },
    })
    expect(instructions).toContain('events/list')
  })

  test('every type that an agent can have is listed with its schemas', async () => {
    const { resultType, events } = await ask(undefined, 'events/list')
    expect(resultType).toBe('complete')
    expect(events.map(({ name }: { name: string }) => name)).toEqual([...SUBSCRIBABLE.keys()])
    expect(events.find(({ name }: { name: string }) => name === 'order.shipped')).toMatchObject({
      description: 'The parcel is on its way', delivery: ['webhook', 'poll'],
      inputSchema: { type: 'object', properties: { order_no: { type: 'string' } } },
      payloadSchema: { type: 'object', properties: { agent: {}, order_no: {}, status: {} } },
    })
    const names = [...SUBSCRIBABLE.keys()]
    expect(names).not.toContain('withdrawal.paid')
    expect(names).not.toContain('webhook.test')
  })
})

describe('by poll', () => {
  test('a poll begins with now, and the next one has what came since, of one order alone',
    async () => {
      const key = await node.newKey()
      const first = await ask(key, 'events/poll', { name: 'order.paid', cursor: null })
      expect(first).toMatchObject({
        events: [], truncated: false, hasMore: false, nextPollMs: expect.any(Number),
      })
      const [one, other] = [await buy(key), await buy(key)]
      const since = { name: 'order.paid', cursor: first.cursor }
      await expect.poll(async () => (await ask(key, 'events/poll', since)).events.length).toBe(2)
      const { events, cursor } = await ask(key, 'events/poll', since)
      expect(events.map(({ data }: { data: { order_no: string } }) => data.order_no).toSorted())
        .toEqual([one, other].toSorted())
      expect(events[0]).toEqual({
        eventId: expect.stringMatching(/^evt_/), name: 'order.paid',
        timestamp: expect.any(String), data: expect.objectContaining({ status: 'paid' }),
      })
      const ofOne = await ask(key, 'events/poll', { ...since, arguments: { order_no: one } })
      expect(ofOne.events.map(({ data }: { data: { order_no: string } }) => data.order_no))
        .toEqual([one])
      expect((await ask(key, 'events/poll', { ...since, cursor })).events).toEqual([])
      expect(await ask(key, 'events/poll', { ...since, maxAgeMs: 0 }))
        .toMatchObject({ events: [], truncated: true })
      const stranger = await node.newKey()
      expect((await ask(stranger, 'events/poll', since)).events).toEqual([])
    })

  test('what is not right is refused by the extension\'s codes', async () => {
    const key = await node.newKey()
    const poll = (params: object, by: string | undefined = key) => ask(by, 'events/poll', params)
    expect((await ask(undefined, 'events/poll', { name: 'order.paid' })).code).toBe(-32024)
    for (const name of ['order.eaten', 'withdrawal.paid', '__proto__']) {
      expect(await poll({ name })).toMatchObject({ code: -32023, data: { kind: 'event' } })
    }
    for (const params of [
      {}, { name: 7 }, { name: 'order.paid', cursor: 'bm9uZQ' },
      { name: 'order.paid', maxAgeMs: -1 }, { name: 'order.paid', arguments: { order_no: 'x' } },
      { name: 'click.recorded', arguments: { order_no: 'AM3VQ2Z7K8M1T5R9C4XD' } },
    ]) expect((await poll(params)).code, JSON.stringify(params)).toBe(-32602)
  })
})

describe('by webhook', () => {
  test('a receiver is asked once whether it wants them, and gets them signed by its secret',
    async () => {
      const [key, receiver, secret] = [await node.newKey(), await openReceiver(), newSecret()]
      const paid = await ask(key, 'events/subscribe', wish(receiver.url, { secret }))
      expect(paid).toMatchObject({
        resultType: 'complete', id: expect.stringMatching(/^sub_/), truncated: false,
        cursor: expect.any(String),
      })
      const other = { ...wish(receiver.url, { secret }), name: 'order.completed' }
      const completed = await ask(key, 'events/subscribe', other)
      expect(completed.id).not.toBe(paid.id)
      expect(receiver.challenges.map(({ headers }) => headers['x-mcp-subscription-id']))
        .toEqual([paid.id])
      expect(receiver.challenges[0]?.headers['webhook-id']).toMatch(/^msg_verification_/)
      const orderNo = await buy(key)
      await expect.poll(() => receiver.events.length).toBe(2)
      // Two endpoints: neither waits for the other.
      const sent = receiver.events.map(({ headers, body }) => ({ headers, ...JSON.parse(body) }))
        .toSorted((one, another) => (one.name < another.name ? 1 : -1))
      expect(sent).toMatchObject([
        { name: 'order.paid', data: { order_no: orderNo }, cursor: expect.any(String) },
        { name: 'order.completed', data: { order_no: orderNo }, cursor: expect.any(String) },
      ])
      expect(sent.map(({ headers }) => headers['x-mcp-subscription-id']))
        .toEqual([paid.id, completed.id])
      for (const { headers, body } of receiver.events) {
        const { eventId } = JSON.parse(body)
        expect(headers['webhook-id']).toBe(eventId)
        expect(headers).toMatchObject(signedHeaders({
          id: eventId, body, timestampS: Number(headers['webhook-timestamp']),
        }, [secret]))
      }
      const page = await node.send('GET', '/v1/events?types=order.paid', { key })
      expect(page.envelope.data.events[0].id).toBe(sent[0]?.eventId)
      expect((await node.send('GET', '/v1/webhooks', { key })).envelope.data.webhooks).toEqual([])
    })

  test('the same call again renews it, and another secret signs beside its last', async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    const [older, newer] = [newSecret(), newSecret(24)]
    const hour = Date.now() + 3_600_000
    const first = await ask(key, 'events/subscribe',
      wish(receiver.url, { secret: older, ttlMs: 3_600_000 }))
    expect(Math.abs(Date.parse(first.refreshBefore) - hour)).toBeLessThan(60_000)
    const again = await ask(key, 'events/subscribe',
      wish(receiver.url, { secret: newer, ttlMs: null, cursor: first.cursor }))
    expect(again.id).toBe(first.id)
    expect(Date.parse(again.refreshBefore)).toBeGreaterThan(hour)
    expect(receiver.challenges).toHaveLength(1)
    await buy(key)
    await expect.poll(() => receiver.events.length).toBe(1)
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] =
      receiver.events
    expect(headers).toMatchObject(signedHeaders({
      id: headers['webhook-id'] ?? '', body, timestampS: Number(headers['webhook-timestamp']),
    }, [newer, older]))
  })

  test('from an earlier cursor it gets what came since', async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    const { cursor } = await ask(key, 'events/poll', { name: 'order.paid' })
    const orderNo = await buy(key)
    const since = { name: 'order.paid', cursor }
    await expect.poll(async () => (await ask(key, 'events/poll', since)).events.length).toBe(1)
    const late = { ...wish(receiver.url, { cursor, maxAgeMs: 0 }), name: 'order.created' }
    expect(await ask(key, 'events/subscribe', late)).toMatchObject({ truncated: true })
    const granted = await ask(key, 'events/subscribe', wish(receiver.url, { cursor }))
    expect(granted).toMatchObject({ truncated: false, cursor })
    await expect.poll(() => receiver.events.map(({ body }) => JSON.parse(body).data.order_no))
      .toEqual([orderNo])
  })

  test('410 ends a message, and not its subscription', async () => {
    const [key, receiver] =
      [await node.newKey(), await openReceiver((_, response) => response.writeHead(410).end())]
    await ask(key, 'events/subscribe', wish(receiver.url))
    const one = await buy(key)
    await expect.poll(() => receiver.events.length).toBe(1)
    const other = await buy(key)
    await expect.poll(() => receiver.events.map(({ body }) => JSON.parse(body).data.order_no))
      .toEqual([one, other])
  })

  test('who ends it gets no more; who did not make it, and an end that has come, find none',
    async () => {
      const [key, stranger, receiver] =
        [await node.newKey(), await node.newKey(), await openReceiver()]
      const { secret: _, ...delivery } = wish(receiver.url).delivery
      const subject = { name: 'order.paid', delivery }
      const end = (by: string) => ask(by, 'events/unsubscribe', subject)
      const none = { code: -32023, data: { kind: 'subscription' } }
      const { id } = await ask(key, 'events/subscribe', wish(receiver.url))
      expect(await end(stranger)).toMatchObject(none)
      expect(await end(key)).toMatchObject({ resultType: 'complete' })
      expect(await end(key)).toMatchObject(none)
      expect(await node.services.ledger.exists(keys.webhook(id))).toBe(0)
      await ask(key, 'events/subscribe', wish(receiver.url))
      await node.services.ledger.hset(keys.webhook(id), 'subscription',
        JSON.stringify({ arguments: {}, notBefore: 0, expiresAt: 1 }))
      expect(await end(key)).toMatchObject(none)
    })

  test('what is not right is refused by the extension\'s codes', async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    const subscribe = (params: object, by: string | undefined = key) =>
      ask(by, 'events/subscribe', params)
    expect((await ask(undefined, 'events/subscribe', wish(receiver.url))).code).toBe(-32024)
    expect(await subscribe({ ...wish(receiver.url), name: 'order.eaten' }))
      .toMatchObject({ code: -32023, data: { kind: 'event' } })
    for (const params of [
      wish('http://mall.example/hook'), wish('https://10.0.0.1/hook'), wish('nonsense'),
      wish(receiver.url, { secret: newSecret(23) }), wish(receiver.url, { secret: newSecret(65) }),
      wish(receiver.url, { secret: randomBytes(32).toString('base64') }),
      { ...wish(receiver.url), arguments: { colour: 'red' } }, { name: 'order.paid' },
    ]) expect((await subscribe(params)).code, JSON.stringify(params)).toBe(-32602)
    const { delivery, ...topic } = wish(receiver.url)
    expect(await subscribe({ ...topic, delivery: { ...delivery, mode: 'push' } }))
      .toMatchObject({ code: -32026, data: { feature: 'deliveryMode' } })
    expect(receiver.challenges).toEqual([])
  })

  test('a receiver that does not answer the challenge gets nothing', async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    for (const [answer, reason] of [
      [{ status: 200, body: '{"challenge":"another"}' }, 'challenge_failed'],
      [{ status: 200, body: 'yes' }, 'challenge_failed'], [{ status: 404, body: '' }, 'http_4xx'],
      [{ status: 503, body: '' }, 'http_5xx'],
    ] as const) {
      receiver.answerChallenge = (_, response) => {
        response.writeHead(answer.status).end(answer.body)
      }
      expect(await ask(key, 'events/subscribe', wish(receiver.url)))
        .toMatchObject({ code: -32027, data: { reason } })
    }
    const { url } = receiver
    await receiver.close()
    expect(await ask(key, 'events/subscribe', wish(url)))
      .toMatchObject({ code: -32027, data: { reason: 'connection_refused' } })
  })

  test('an account has so many and no more', async () => {
    const [key, receiver] = [await node.newKey(), await openReceiver()]
    const { id } = await ask(key, 'events/subscribe', wish(receiver.url))
    const account = await node.services.ledger.hget(keys.webhook(id), 'account') ?? ''
    const others = Array.from({ length: SUBSCRIPTIONS_MAX - 1 }, (_, n) => [`sub_${n}`, 'ag_other'])
    await node.services.ledger.hset(keys.subscriptions(account), ...others.flat())
    expect(await ask(key, 'events/subscribe', { ...wish(receiver.url), name: 'order.shipped' }))
      .toMatchObject({ code: -32025, data: { limit: 'subscriptions', max: SUBSCRIPTIONS_MAX } })
    expect((await ask(key, 'events/subscribe', wish(receiver.url))).id).toBe(id)
  })
})
