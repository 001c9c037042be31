/** SECRET is replaced under callers' feet: what was made under the old one goes on. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, type Manifest } from '../backup/archive.ts'
import { backupLedger } from '../backup/backup.ts'
import { restoreLedger } from '../backup/restore.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createOrder } from '../operations/create-order.ts'
import { getOrderStatus } from '../operations/get-order-status.ts'
import { previewOrder } from '../operations/preview-order.ts'
import { requestAftersale } from '../operations/request-aftersale.ts'
import { showOrder } from '../orders/view.ts'
import { ledger as keys } from '../redis/keys.ts'
import { endSecrets, openSecrets } from '../secrets/open.ts'
import { verifyLedger } from '../verify/verify.ts'
import { countSeals, resealAll } from '../workers/reseal.ts'
import { openBrowser, openOwner } from './console.ts'
import { startTestNode, type TestNode } from './node.ts'
import { attemptAt, RECEIVER, supplyProduct, type Product } from './products.ts'
import { startOwnRedis, type OwnRedis } from './recovery.ts'

const [OLD, NEXT] = ['the-old-secret-of-a-service-000001', 'the-next-secret-of-a-service-00001']
const folder = mkdtempSync(join(tmpdir(), 'agentmall-rotation-'))
let own: OwnRedis
let product: Product
const running: TestNode[] = []

const start = async (secret: string): Promise<TestNode> => {
  const node = await startTestNode({
    redis: own.urls, secret, sandboxStepMs: 600_000, sandboxCompleteMs: 600_000,
  })
  running.push(node)
  return node
}
const stop = async (node: TestNode): Promise<void> => {
  running.splice(running.indexOf(node), 1)
  await node.stop()
}
const withSecret = async (secret: string) =>
  ({ ...own.place, secrets: await openSecrets(own.place.ledger, secret) })
const pagePath = (payUrl: string): string => {
  const { pathname, search } = new URL(payUrl)
  return pathname + search
}

beforeAll(async () => {
  own = await startOwnRedis({ secret: OLD })
  await importCatalogue(own.place, generateCatalogue({ items: 240, seed: 'test' }))
  product = await supplyProduct(own.place.ledger, { stock: 1000 })
  // As code left it that kept no keys: SECRET was all there was.
  await own.place.ledger.set(keys.secretFingerprint, createSecrets(OLD).fingerprints[0])
})
afterAll(async () => {
  for (const node of running.splice(0)) await node.stop()
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What one node hands out is good on the other. */
async function workTogether(one: TestNode, other: TestNode, key: string): Promise<void> {
  for (const [here, there] of [[one, other], [other, one]] as const) {
    const quote = await here.rest(previewOrder, { ...attemptAt(product), receiver: undefined,
      idempotency_key: undefined }, key)
    const input = { ...attemptAt(product), quote_token: quote.envelope.data.quote_token as string }
    const placed = await there.rest(createOrder, input, key)
    expect(placed.envelope).toMatchObject({ code: 0, data: { duplicate: false } })
    const { order_no, pay_url } = placed.envelope.data
    const again = await here.rest(createOrder, input, key)
    expect(again.envelope.data).toMatchObject({ order_no, duplicate: true })
    expect((await here.send('GET', pagePath(pay_url))).status).toBe(200)
    await there.services.orders.move('pay', order_no)
    // Whose after-sales are counted is read from the receiver.
    const asked = await here.rest(requestAftersale, {
      order_no, type: 'refund_only', reason: 'x', reason_class: 'quality', preview: true,
    }, key)
    expect(asked.envelope.data).toMatchObject({ quota_left: 5 })
  }
}

let manifest: Manifest

test('nothing fails while nodes go from the old secret to the next, one by one', async () => {
  const first = await start(OLD)
  const owner = await openOwner(first)
  const key = owner.apiKey
  const input = attemptAt(product)
  const placed = await first.rest(createOrder, input, key)
  const { order_no, pay_url } = placed.envelope.data
  await workTogether(first, first, key)

  const second = await start(`${OLD},${NEXT}`)
  await workTogether(first, second, key)
  await stop(first)
  const third = await start(`${NEXT},${OLD}`)
  await workTogether(second, third, key)
  await stop(second)
  manifest = await backupLedger(await withSecret(`${OLD},${NEXT}`), createArchive(folder))

  const place = await withSecret(`${NEXT},${OLD}`)
  const { receivers, unreadable } = await resealAll(place)
  expect([receivers > 0, unreadable]).toEqual([true, 0])
  expect((await countSeals(place)).get(createSecrets(OLD).ids[0])).toEqual(
    { receivers: 0, payees: 0, addresses: 0, webhooks: 0 })

  const last = await start(NEXT)
  await workTogether(third, last, key)
  await stop(third)
  await endSecrets(place.durable, [createSecrets(OLD).ids[0]])

  const again = await last.rest(createOrder, input, key)
  expect(again.envelope.data).toMatchObject({ order_no, duplicate: true })
  expect((await last.send('GET', pagePath(pay_url))).status).toBe(404)
  const status = await last.rest(getOrderStatus, { order_no }, key)
  expect((await last.send('GET', pagePath(status.envelope.data.pay_url))).status).toBe(200)
  const after = await withSecret(NEXT)
  expect(await showOrder(after.ledger, after.secrets, order_no)).toMatchObject(
    { receiver: RECEIVER })
  const browser = Object.assign(openBrowser(last, owner.email),
    { cookie: owner.browser.cookie, csrf: owner.browser.csrf })
  expect((await browser.call('POST', '/agents', { label: 'second' })).status).toBe(200)
  expect((await browser.signIn()).envelope.data).toMatchObject({ email: owner.email })
  expect((await verifyLedger(after)).violations).toEqual([])
})

test('the old secret opens the ledger no longer, and is refused in words', async () => {
  await expect(start(OLD)).rejects.toThrow(/SECRET is not the one that this ledger was made with/)
})

test('a backup from before is restored with both secrets, and rotated again', async () => {
  const target = await startOwnRedis({ secret: NEXT })
  try {
    const restore = (secret: string) => restoreLedger(
      { ...target.place, secret }, folder, manifest, { isToReplace: false })
    await expect(restore(NEXT)).rejects.toThrow(/after a rotation behind the new one/)
    const { report } = await restore(`${NEXT},${OLD}`)
    expect(report.violations).toEqual([])
    const { ledger, durable } = target.place
    const secrets = await openSecrets(ledger, `${NEXT},${OLD}`)
    expect(await resealAll({ ledger, durable, secrets })).toMatchObject({ unreadable: 0 })
    const after = await openSecrets(ledger, NEXT)
    expect([...await countSeals({ ledger, secrets: after })].map(([id]) => id)).toEqual(after.ids)
  } finally {
    await target.stop()
  }
})

test('a replay across a rotation with another body is still refused', async () => {
  const node = await start(NEXT)
  const key = await node.newKey()
  const input = attemptAt(product)
  await node.rest(createOrder, input, key)
  const other = await start(`${randomUUID()}-other-secret,${NEXT}`)
  const refused = await other.rest(createOrder, { ...input, qty: 2 }, key)
  expect([refused.status, refused.envelope.data.error]).toEqual([422, 'idempotency_mismatch'])
})
