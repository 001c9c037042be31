import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheDir } from '../config.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import { createLogger } from '../log.ts'
import { createOrder } from '../operations/create-order.ts'
import { searchGoods } from '../operations/search-goods.ts'
import { startEmbeddedRedis, type EmbeddedRedis } from '../dev/redis/embedded.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { openRoles } from '../redis/roles.ts'
import { slotOf } from '../redis/send.ts'
import { startOwnCluster, type OwnCluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { orderInput } from './live.ts'
import { startTestNode, type TestNode } from './node.ts'
import { PATIENCE_MS } from './patience.ts'

const log = createLogger('silent')
let dataDir: string
let shelf: EmbeddedRedis
let cluster: OwnCluster
let node: TestNode
let other: TestNode
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agentmall-shelf-'))
  ;[shelf, cluster] = await Promise.all([
    startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log, roles: ['shelf'] }),
    startOwnCluster(),
  ])
  const redis = { shelf: shelf.shelfUrl, ledger: cluster.url, counters: shelf.countersUrl }
  const stores = await openRoles(redis, log, 'bulk')
  const { refused } = await importCatalogue(stores, generateCatalogue({ items: 300, seed: 'c' }))
  expect(refused).toBe(0)
  stores.close()
  const settings = { redis, ledgerReplicas: 1, requestDeadlineMs: PATIENCE_MS }
  ;[node, other] = await Promise.all([startTestNode(settings), startTestNode(settings)])
  key = await node.newKey()
})

afterAll(async () => {
  await Promise.all([node?.stop(), other?.stop()])
  await Promise.all([cluster?.remove(), shelf?.stop()])
  await rm(dataDir, { recursive: true, force: true })
})

interface Item {
  readonly product_id: number
  readonly merchant_id: number
  readonly available_qty: number
}

async function itemInStock(): Promise<Item> {
  const found = await node.rest(searchGoods, { page_size: 50 }, key)
  return found.envelope.data.items.find(({ available_qty }: Item) => available_qty > 5)
}

test('a whole node on a cluster: search, order, replay, pay, complete, list', async () => {
  const item = await itemInStock()
  const input = orderInput(item)
  const first = await node.rest(createOrder, input, key)
  expect(first).toMatchObject({ status: 200, envelope: { data: { duplicate: false } } })
  const { order_no, pay_url } = first.envelope.data
  const replay = await other.rest(createOrder, input, key)
  expect(replay.envelope.data).toMatchObject({ order_no, duplicate: true })

  const { pathname, searchParams } = new URL(pay_url)
  const paid = await other.send('POST', pathname, {
    body: `t=${encodeURIComponent(searchParams.get('t') ?? '')}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect(paid.status).toBe(200)
  await expect.poll(async () =>
    (await node.send('GET', `/v1/orders/${order_no}`, { key })).envelope.data.status)
    .toBe('completed')
  await expect.poll(async () =>
    (await other.send('GET', '/v1/orders', { key })).envelope.data.items
      .map((one: { order_no: string }) => one.order_no)).toContain(order_no)
  await expect.poll(async () => {
    const { envelope } = await other.rest(searchGoods, { page_size: 50 }, key)
    return envelope.data.items.find(({ product_id }: Item) => product_id === item.product_id)
      .available_qty
  }).toBe(item.available_qty - 1)
})

test('while a master is gone, search answers, its orders are read, none is refused', async () => {
  const item = await itemInStock()
  const { envelope } = await node.rest(createOrder, orderInput(item), key)
  const { order_no } = envelope.data
  const master = await cluster.masterOf(slotOf(keys.stock(partitionOf(item.product_id))))
  process.kill(master.server.pid, 'SIGKILL')
  expect((await node.rest(searchGoods, { page_size: 5 }, key)).status).toBe(200)
  await eventually(async () => {
    const read = await node.send('GET', `/v1/orders/${order_no}`, { key })
    expect(read.envelope.data.order_no).toBe(order_no)
  })
  const placing = node.rest(createOrder, orderInput(item), key)
  await cluster.restart(master)
  expect((await placing).status).toBe(200)
  await cluster.untilWhole()
})
