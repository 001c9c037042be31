/** An order that has left the ledger: nothing happens to it there, and its platform is told again
 * once it is back. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { importCatalogue } from '../goods/import.ts'
import { OrderArchive } from '../orders/archive/archive.ts'
import { FolderStore } from '../orders/archive/store.ts'
import { ownLine, ownStores } from '../testing/goods.ts'
import { startTestNode } from '../testing/node.ts'
import { startReceiver } from '../testing/receiver.ts'
import { servePlatform } from '../testing/ucp.ts'
import { purchaseAt } from '../testing/ucp-purchase.ts'
import { archiveOrders, type ArchivingStores, recallOrder } from '../workers/order-archive.ts'

const HOUR_MS = 3_600_000

async function openArchivingShop() {
  const stores = await ownStores()
  await importCatalogue(stores, [ownLine(950_000, { title: '云砾 台灯', stock: 5 })])
  const archiveDir = await mkdtemp(join(tmpdir(), 'agentmall-archive-'))
  const platform = await servePlatform()
  const receiver = await startReceiver()
  platform.webhookUrl = new URL('/orders', receiver.url).href
  const node = await startTestNode(
    { redis: { ...stores.urls, counters: stores.urls.ledger }, archiveDir })
  onTestFinished(async () => {
    await node.stop()
    platform.close()
    await receiver.close()
    stores.close()
    await rm(archiveDir, { recursive: true, force: true })
  })
  const { ledger } = stores
  const archiving: ArchivingStores = {
    ledger, archive: new OrderArchive(new FolderStore(archiveDir)),
    durable: { run: (script, names, args) => script.run(ledger, names, args) },
  }
  return { node, platform, receiver, archiving }
}

test('an order in the archive is read as before, moved by nobody, and followed again', async () => {
  const { node, platform, receiver, archiving } = await openArchivingShop()
  const key = await node.newKey()
  const { orderId, checkoutId } = await purchaseAt(
    platform, node, { variants: ['95000001'], key })
  const read = async () => (await platform.rest(node, 'get_order', { key, id: orderId })).body
  const { orders, checkouts } = node.services
  const [orderNo = ''] = (await checkouts.find(checkoutId))?.orderNos ?? []
  await expect.poll(async () => (await orders.find(orderNo))?.status).toBe('completed')
  await expect.poll(() => receiver.events.length).toBeGreaterThan(2)
  const before = await read()
  await expect.poll(async () =>
    (await archiveOrders(archiving, nowMs() + HOUR_MS)).archived).toBe(1)

  expect(await read()).toEqual(before)
  expect((await checkouts.ofOrder(orderNo))?.id).toBe(checkoutId)
  const told = receiver.events.length
  expect(await orders.move('refund_completed', orderNo)).toMatchObject({ code: 'archived' })
  const { body: { messages } } = await platform.rest(node, 'request_return', { key, id: orderId,
    payload: { line_item_id: 'li_1', type: 'refund', reason_code: 'quality' } })
  expect(messages).toMatchObject([{ type: 'error', severity: 'unrecoverable' }])

  expect(await recallOrder(archiving, orderNo)).toBe(true)
  expect(await orders.move('refund_completed', orderNo)).toMatchObject({ code: 'moved' })
  await expect.poll(() => receiver.events.slice(told).map(({ body }) =>
    JSON.parse(body).adjustments.map(({ type }: { type: string }) => type)))
    .toContainEqual(['refund'])
})
