import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { openOwner } from '../testing/console.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'
import { startReceiver } from '../testing/receiver.ts'

let node: TestNode
beforeAll(async () => { node = await startTestNode() })
afterAll(() => node.stop())

type Owner = Awaited<ReturnType<typeof openOwner>>

async function openReceiver() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

const ask = async ({ browser }: Owner, method: string, path: string, body?: object) =>
  (await browser.call(method, path, body)).envelope.data

/** An active endpoint of the account, with its receiver. */
async function openHook(owner: Owner, fields: object = {}) {
  const receiver = await openReceiver()
  const { webhook_id: id, secret } =
    await ask(owner, 'POST', '/webhooks', { url: receiver.url, ...fields })
  const path = `/webhooks/${id}`
  await expect.poll(async () => (await ask(owner, 'GET', path)).state).toBe('active')
  return { receiver, id, path, secret } as
    { receiver: typeof receiver, id: string, path: string, secret: string }
}

async function placeOrder(apiKey: string): Promise<string> {
  const { idempotency_key, ...body } = attemptAt(await supplyProduct(node.services.ledger))
  const placed = await node.send('POST', '/v1/orders', {
    key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  return placed.envelope.data.order_no
}

test('a secret is shown once; after its rotation both sign what is sent', async () => {
  const owner = await openOwner(node)
  const { receiver, path, secret } = await openHook(owner, { events: ['order.*'] })
  const listed = await owner.browser.call('GET', '/webhooks')
  expect(listed.text).not.toContain(secret)
  expect(listed.envelope.data.webhooks).toMatchObject([{
    url: receiver.url, events: ['order.*'], state: 'active', waiting: 0,
    succeeded_at: expect.any(String),
  }])
  const rotated = await ask(owner, 'POST', `${path}/secret`)
  expect(Date.parse(rotated.old_secret_ends_at)).toBeGreaterThan(0)
  await ask(owner, 'POST', `${path}/test`)
  await expect.poll(() => receiver.events.map(({ event }) => event.type)).toEqual(['webhook.test'])
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.events
  expect([secret, rotated.secret].map((one) => new Webhook(one).verify(body, headers)))
    .toHaveLength(2)
})

test('an endpoint for one agent gets nothing of another, until it is for all again', async () => {
  const owner = await openOwner(node)
  const { agent: other, api_key: otherKey } =
    await ask(owner, 'POST', '/agents', { label: 'second' })
  const { receiver, path } = await openHook(owner, { events: ['order.created'], agents: [other] })
  const received = () => receiver.events
    .map(({ event }) => (event.data as { order_no: string }).order_no)
  await placeOrder(owner.apiKey)
  const first = await placeOrder(otherKey)
  await expect.poll(received).toEqual([first])
  expect((await ask(owner, 'PATCH', path, { agents: [] })).agents).toBeUndefined()
  const second = await placeOrder(owner.apiKey)
  await expect.poll(received).toEqual([first, second])
})

test('attempts about an order are listed with it, and one or all of them are sent again',
  async () => {
    const owner = await openOwner(node)
    const { receiver, id, path } = await openHook(owner, { events: ['order.created'] })
    receiver.answer = (_, response) => response.writeHead(200).end('<script>alert(1)</script>')
    const began = new Date(Date.now() - 60_000).toISOString()
    const orderNo = await placeOrder(owner.apiKey)
    const about = async () => (await ask(owner, 'GET', `/orders/${orderNo}/attempts`)).attempts
    await expect.poll(about).toMatchObject([{
      webhook_id: id, url: receiver.url, type: 'order.created', subject: orderNo, status: 200,
      outcome: 'done', answer: '<script>alert(1)</script>',
    }])
    const [{ event_id }] = await about()
    expect(await ask(owner, 'POST', `${path}/events/${event_id}/resend`)).toEqual({ queued: 1 })
    expect(await ask(owner, 'POST', `${path}/resend`, { since: began })).toEqual({ queued: 1 })
    await expect.poll(() => receiver.events.map(({ event }) => event.id))
      .toEqual([event_id, event_id, event_id])
    const first = await ask(owner, 'GET', `${path}/attempts?limit=2`)
    expect(first.attempts).toHaveLength(2)
    const rest = await ask(owner, 'GET', `${path}/attempts?limit=2&cursor=${first.next_cursor}`)
    expect(rest.attempts.map(({ type }: { type: string }) => type))
      .toEqual(['order.created', 'webhook.challenge'])
  })

test('an endpoint that was disabled says why, and is enabled again', async () => {
  const owner = await openOwner(node)
  const { receiver, path } = await openHook(owner, { events: ['order.created'] })
  receiver.answer = (_, response) => response.writeHead(410).end()
  await placeOrder(owner.apiKey)
  await expect.poll(() => ask(owner, 'GET', path))
    .toMatchObject({ state: 'disabled', reason: 'gone', failed_at: expect.any(String) })
  expect(await ask(owner, 'POST', `${path}/resend`, { since: '2026-03-01T00:00:00.000Z' }))
    .toMatchObject({ error: 'invalid_request', fields: [{ path: 'webhook_id' }] })
  await ask(owner, 'PATCH', path, { enabled: true })
  await expect.poll(async () => (await ask(owner, 'GET', path)).state).toBe('active')
})

test('the account sees what its agent\'s key made; another account sees nothing', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const receiver = await openReceiver()
  const made = await node.send('POST', '/v1/webhooks',
    { key: owner.apiKey, body: { url: receiver.url } })
  const path = `/webhooks/${made.envelope.data.webhook_id}`
  expect((await ask(owner, 'GET', '/webhooks')).webhooks)
    .toMatchObject([{ agent: owner.agent, url: receiver.url }])
  const orderNo = await placeOrder(owner.apiKey)
  const answers = [
    await ask(stranger, 'GET', path), await ask(stranger, 'PATCH', path, { events: ['*'] }),
    await ask(stranger, 'POST', `${path}/secret`), await ask(stranger, 'POST', `${path}/test`),
    await ask(stranger, 'GET', `${path}/attempts`), await ask(stranger, 'DELETE', path),
    await ask(stranger, 'GET', `/orders/${orderNo}/attempts`),
    await ask(stranger, 'POST', '/webhooks', { url: receiver.url, agents: [owner.agent] }),
  ]
  expect(answers.map(({ error }) => error)).toEqual(answers.map(() => 'not_found'))
  expect(await ask(owner, 'DELETE', path)).toEqual({})
  expect((await ask(owner, 'GET', '/webhooks')).webhooks).toEqual([])
})
