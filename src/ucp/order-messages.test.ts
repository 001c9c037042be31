import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { importCatalogue } from '../goods/import.ts'
import { ledger as keys } from '../redis/keys.ts'
import { ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { startTestNode, TEST_SECRET, type TestNode } from '../testing/node.ts'
import { type Received, startReceiver } from '../testing/receiver.ts'
import { servePlatform, type TestPlatform, UCP_FULFILLMENT } from '../testing/ucp.ts'
import { completeAt, payAt, purchaseAt } from '../testing/ucp-purchase.ts'
import { ORDER } from './capabilities.ts'

let node: TestNode
let stores: OwnStores
let platform: TestPlatform
const variants = ['94000001', '94000101']
const start = (secret = TEST_SECRET): Promise<TestNode> =>
  startTestNode({ redis: { ...stores.urls, counters: stores.urls.ledger }, secret })

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [0, 1].map((at) => ownLine(940_000 + at, {
    title: `云砾 台灯 ${at}`, retail_price: 9900, stock: 50,
  })))
  node = await start()
})
afterAll(async () => {
  await node.stop()
  stores.close()
})

/** A platform of its own, since profiles are kept, and its receiver. */
async function openPlatform(path = '/orders?of=shop') {
  platform = await servePlatform()
  const receiver = await startReceiver()
  onTestFinished(async () => {
    platform.close()
    await receiver.close()
  })
  const url = new URL(path, receiver.url).href
  platform.webhookUrl = url
  return { receiver, url, key: await node.newKey() }
}

const bodiesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body))

/** As a platform verifies: by the published keys, with a library that others wrote. */
async function isSigned({ headers, body }: Received, url: string, path = '/.well-known/ucp') {
  const { signing_keys } = JSON.parse((await node.send('GET', path)).text)
  return await httpbis.verifyMessage({
    requiredFields: ['@method', '@authority', '@path', '@query', 'ucp-agent', 'idempotency-key',
      'content-digest', 'content-type', 'webhook-id', 'webhook-timestamp'],
    keyLookup: async ({ keyid }) => {
      const jwk = signing_keys.find(({ kid }: { kid: string }) => kid === keyid) as JsonWebKey
      return jwk && { verify: async (data, signature) => verify('sha256', data, {
        key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363',
      }, signature) }
    },
  }, { method: 'POST', url, headers: { ...headers, 'content-length': String(body.length) } })
}

test('each step of a paid order arrives whole, signed, in its order', async () => {
  const { receiver, url, key } = await openPlatform()
  const { orderId, checkoutId } = await purchaseAt(platform, node, { variants, key })
  await expect.poll(() => bodiesOf(receiver.events).at(-1)?.line_items
    .map(({ status }: { status: string }) => status)).toEqual(['fulfilled', 'fulfilled'])
  const bodies = bodiesOf(receiver.events)
  expect(bodies[0]).toMatchObject({
    id: orderId, checkout_id: checkoutId, ucp: { capabilities: { [ORDER]: [{}] } },
  })
  await expect.poll(async () => {
    const { body } = await platform.rest(node, 'get_order', { key, id: orderId })
    return [body, bodiesOf(receiver.events).at(-1)]
  }).toSatisfy(([now, told]) => JSON.stringify(now) === JSON.stringify(told))
  const lengths = bodies.map(({ fulfillment }) => fulfillment.events.length)
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other))
  for (const one of receiver.events) {
    expect(await isSigned(one, url)).toBe(true)
    expect(one.headers['webhook-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/)
    expect(one.headers['ucp-agent']).toContain('/.well-known/ucp')
  }
  const ids = receiver.events.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(ids.length)
  const [first] = receiver.events
  expect(await isSigned({ ...first!, headers: { ...first!.headers, 'webhook-timestamp': '1' } },
    url)).toBe(false)
})

test('a message that is refused comes again with its id, as the order is then', async () => {
  const { receiver, key } = await openPlatform()
  let refused = 0
  receiver.answer = (_, response) => { response.writeHead((refused += 1) === 1 ? 503 : 200).end() }
  const { orderId } = await purchaseAt(platform, node, { variants: [variants[0]!], key })
  await expect.poll(() => refused).toBe(1)
  const [id = ''] = (await stores.ledger.keys('webhook:{ucp_*}:due'))
    .map((name) => /\{(.*)\}/.exec(name)?.[1])
  await expect.poll(async () => {
    await stores.ledger.zadd(keys.webhookDue(id), 'XX', 0, orderId)
    return refused
  }).toBeGreaterThan(2)
  const [one, again] = receiver.events
  expect(again?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
})

test('an order that is not paid, or of another platform, is not told', async () => {
  const { receiver, key } = await openPlatform()
  const open = await completeAt(platform, node, { variants, key })
  await platform.rest(node, 'cancel_checkout', { key, id: open.checkoutId })
  const other = await servePlatform()
  onTestFinished(() => other.close())
  const untold = await purchaseAt(other, node, { variants, key })
  const { orderId } = await purchaseAt(platform, node, { variants, key })
  await expect.poll(() => bodiesOf(receiver.events).at(-1)?.line_items
    .map(({ status }: { status: string }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(new Set(bodiesOf(receiver.events).map(({ id }) => id))).toEqual(new Set([orderId]))
  expect(untold.orderId).not.toBe(orderId)
})

test('an address that is not public is refused before anything is ordered', async () => {
  const { key } = await openPlatform()
  platform.webhookUrl = 'http://10.0.0.1/orders'
  const { body: { id } } = await platform.rest(node, 'create_checkout', { key, payload: {
    line_items: [{ item: { id: variants[0] }, quantity: 1 }], fulfillment: UCP_FULFILLMENT,
  } })
  const { status, body } = await platform.rest(node, 'complete_checkout', { key, id, payload: {} })
  expect([status, body.code]).toEqual([422, 'profile_malformed'])
  expect(body.content).toContain('webhook_url')
  expect((await node.send('GET', '/v1/orders', { key })).envelope.data.items).toEqual([])
})

test('after the secret is rotated both keys are published, and the new one signs', async () => {
  const { receiver, url, key } = await openPlatform()
  const open = await completeAt(platform, node, { variants, key })
  await node.stop()
  node = await start(`a-newer-secret-of-all-tests-in-this-run,${TEST_SECRET}`)
  await payAt(node, open.continueUrl)
  await expect.poll(() => receiver.events.length).toBeGreaterThan(0)
  const { signing_keys } = JSON.parse((await node.send('GET', '/.well-known/ucp')).text)
  expect(signing_keys).toHaveLength(2)
  expect(await isSigned(receiver.events[0]!, url)).toBe(true)
  expect(receiver.events[0]?.headers['signature-input']).toContain(signing_keys[0].kid)
})
