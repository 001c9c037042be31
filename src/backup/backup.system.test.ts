/** The rehearsal: a ledger is copied while orders go on, lost, and restored in two forms. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { monotonicMs } from '../contract/time.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import { createSecrets } from '../secrets/derive.ts'
import type { PlaceInput } from '../orders/place-order.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openSecrets } from '../secrets/open.ts'
import { startOwnCluster } from '../testing/cluster.ts'
import { eventually } from '../testing/eventually.ts'
import { attemptAt, supplyProduct, type Product } from '../testing/products.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { startOwnRedis, type OwnRedis } from '../testing/recovery.ts'
import { verifyLedger } from '../verify/verify.ts'
import { createArchive, type Manifest } from './archive.ts'
import { backupLedger } from './backup.ts'
import { restoreLedger } from './restore.ts'

interface Placed {
  readonly buyer: { readonly agent: string, readonly account: string }
  readonly input: PlaceInput
  readonly orderNo: string
  readonly at: number
}

const BUYERS = 12
const folders: string[] = []
const temporary = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'agentmall-backup-')))
  return folders.at(-1) as string
}

let source: OwnRedis
let folder: string
let manifest: Manifest
let began: number
let ended: number
const placed: Placed[] = []

const opened = async ({ place }: OwnRedis) =>
  ({ ...place, secrets: await openSecrets(place.ledger, place.secret) })

/** Buyers who place, pay and cancel without an end. */
function shop(node: TestNode, products: readonly Product[]) {
  const state = { isOver: false }
  const { orders, apiKeys } = node.services
  const buying = Array.from({ length: BUYERS }, async (_, at) => {
    const buyer = await apiKeys.createKey({ tier: 't2', label: `buyer ${at}` })
    for (let turn = at; !state.isOver; turn += 1) {
      const input = attemptAt(products[turn % products.length] as Product)
      const { order_no: orderNo } = await orders.place(input, buyer)
      placed.push({ buyer, input, orderNo, at: monotonicMs() })
      if (turn % 4 !== 0) await orders.move('pay', orderNo)
      if (turn % 4 === 3) await orders.move('cancel_paid', orderNo)
    }
  })
  return {
    until: (count: number) => Promise.race([
      Promise.all(buying), eventually(() => { expect(placed.length).toBeGreaterThan(count) }),
    ]),
    async end() {
      state.isOver = true
      await Promise.all(buying)
    },
  }
}

beforeAll(async () => {
  source = await startOwnRedis()
  await importCatalogue(source.place, generateCatalogue({ items: 240, seed: 'test' }))
  const node = await startTestNode({ redis: source.urls })
  const products = await Promise.all(Array.from({ length: 8 }, (_, at) =>
    supplyProduct(source.place.ledger, { stock: 100_000, productId: 5_000_000_000 + at })))
  const load = shop(node, products)
  await load.until(300)
  folder = temporary()
  began = monotonicMs()
  manifest = await backupLedger(await opened(source), createArchive(folder))
  ended = monotonicMs()
  const after = placed.length
  await load.until(after + 100)
  await load.end()
  await node.stop()
})

afterAll(async () => {
  await source.stop()
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** Restores, then compares what is there with the answers that buyers got. */
async function rehearse(target: OwnRedis): Promise<void> {
  const restored = await restoreLedger(target.place, folder, manifest, { isToReplace: false })
  expect(restored.report.violations).toEqual([])
  expect(restored.report.checked['orders']).toBeGreaterThan(300)
  const node = await startTestNode({ redis: target.urls })
  try {
    const isThere = async ({ orderNo, input }: Placed): Promise<boolean> =>
      (await target.place.ledger.exists(
        keys.order(input.product_id % 256, orderNo))) === 1
    const before = placed.filter(({ at }) => at < began)
    expect(before.length).toBeGreaterThan(300)
    for (const { buyer, input, orderNo } of before) {
      const again = await node.services.orders.place(input, buyer)
      expect(again).toMatchObject({ order_no: orderNo, duplicate: true })
    }
    // Placed again under its key, an order that the backup does not have is the same order.
    const lost = placed.filter(({ at }) => at > ended + 1000)
    for (const one of lost.slice(0, 20)) {
      expect(await isThere(one)).toBe(false)
      const again = await node.services.orders.place(one.input, one.buyer)
      expect(again.order_no).toBe(one.orderNo)
    }
  } finally {
    await node.stop()
  }
  const { violations } = await verifyLedger(await opened(target))
  expect(violations).toEqual([])
}

test('orders were placed before, during and after the backup', () => {
  const during = placed.filter(({ at }) => at > began && at < ended)
  expect(during.length).toBeGreaterThan(10)
  expect(manifest.outboxes).toHaveLength(256)
  expect(manifest.secretFingerprint).toBe(createSecrets(source.place.secret).fingerprints[0])
})

test('a fresh Redis takes the backup: everything acknowledged before it is there', async () => {
  const target = await startOwnRedis()
  try {
    await rehearse(target)
  } finally {
    await target.stop()
  }
})

test('a cluster takes the backup of one Redis, and one Redis that of a cluster', async () => {
  const cluster = await startOwnCluster()
  const target = await startOwnRedis({ ledger: cluster.url })
  const single = await startOwnRedis()
  try {
    await rehearse(target)
    const again = temporary()
    const taken = await backupLedger(await opened(target), createArchive(again))
    const { report } = await restoreLedger(single.place, again, taken, { isToReplace: false })
    expect(report.violations).toEqual([])
    const { checked } = await verifyLedger(await opened(target))
    expect(report.checked['orders']).toBe(checked['orders'])
  } finally {
    await single.stop()
    await target.stop()
    await cluster.remove()
  }
})
