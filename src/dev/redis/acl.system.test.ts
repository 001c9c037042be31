/** A node has the rights that its work needs, and none that empties or changes a server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheDir } from '../../config.ts'
import { generateCatalogue } from '../../goods/generate.ts'
import { createLogger } from '../../log.ts'
import { importCatalogue } from '../../goods/import.ts'
import { startOwnCluster } from '../../testing/cluster.ts'
import { startLedger } from '../../testing/ledger.ts'
import { startTestNode } from '../../testing/node.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { attemptAt, newBuyer, openShop, supplyProduct, type Shop } from '../../testing/products.ts'
import { userLine } from './acl.ts'
import { openRedis, untilReady } from '../../redis/connect.ts'
import { urlsOf } from '../../redis/roles.ts'
import {
  attachEmbeddedRedis, startEmbeddedRedis, type EmbeddedRedis,
} from './embedded.ts'
import { ledger as keys } from '../../redis/keys.ts'

const log = createLogger('silent')
let dataDir: string
let pair: EmbeddedRedis
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agentmall-acl-'))
  pair = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
})
afterAll(async () => {
  await pair.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function say(url: string, ...words: string[]): Promise<unknown> {
  const redis = new Redis(url, {
    protocol: 2, retryStrategy: () => null, commandTimeout: PATIENCE_MS, enableReadyCheck: false,
  })
  redis.on('error', () => {})
  try {
    return await redis.call(words[0] ?? '', ...words.slice(1))
      .catch((error: Error) => error.message.split(' ')[0])
  } finally {
    redis.disconnect()
  }
}

const FORBIDDEN = [
  'FLUSHALL', 'FLUSHDB', 'KEYS *', 'CONFIG SET appendfsync no', 'CONFIG REWRITE', 'SHUTDOWN NOSAVE',
  'ACL LIST', 'MODULE LIST', 'REPLICAOF NO ONE', 'RESTORE a 0 b', 'MONITOR', 'SWAPDB 0 1',
  'SCRIPT FLUSH', 'FUNCTION LIST', 'SAVE', 'BGREWRITEAOF', 'CLIENT KILL TYPE normal',
  'CLUSTER RESET', 'FAILOVER', 'PSYNC ? -1',
]

const ROLES = ['ledger', 'shelf'] as const
test.each(ROLES)('a node cannot empty, change or stop the %s', async (role) => {
  const url = urlsOf(pair)[role]
  expect(await say(url, 'ACL', 'WHOAMI')).toBe('node')
  await say(url, 'SET', 'kept', '1')
  for (const line of FORBIDDEN) {
    expect(await say(url, ...line.split(' ')), line).toBe('NOPERM')
  }
  expect(await say(url, 'DEL', 'kept')).toBe(1)
})

test('nobody gets in without a name, and the operator may do what a restore needs', async () => {
  const { port, password } = new URL(pair.ledgerUrl)
  expect(await say(`redis://127.0.0.1:${port}`, 'PING')).toBe('NOAUTH')
  expect(await say(`redis://:${password}@127.0.0.1:${port}`, 'PING')).not.toBe('PONG')
  const attached = await attachEmbeddedRedis({ dataDir, user: 'operator' })
  const { ledger } = urlsOf(attached)
  expect(await say(ledger, 'ACL', 'WHOAMI')).toBe('NOPERM')
  expect(await say(ledger, 'FLUSHALL')).toBe('OK')
  expect(await say(pair.ledgerUrl, 'GET', 'whatever')).toBeNull()
})

test('a whole node works with these rights: catalogue, search, order, metrics', async () => {
  const urls = urlsOf(pair)
  const stores = {
    shelf: openRedis(urls.shelf, log, 'bulk'), ledger: openRedis(urls.ledger, log, 'bulk'),
  }
  await Promise.all(Object.values(stores).map((client) => untilReady(client, 'own')))
  await importCatalogue(stores, generateCatalogue({ items: 240, seed: 'test' }))
  const node = await startTestNode({ redis: urls })
  try {
    const key = await node.newKey()
    const found = await node.send('GET', '/v1/goods?page_size=3', { key })
    expect(found.envelope.data.items).toHaveLength(3)
    const product = await supplyProduct(stores.ledger)
    const { order_no: orderNo } = await node.services.orders.place(
      attemptAt(product), newBuyer())
    await node.services.orders.move('pay', orderNo)
    await expect.poll(() => stores.ledger.hget(keys.order(product.partition, orderNo), 'status'))
      .toBe('completed')
    await expect.poll(async () => (await node.send('GET', '/readyz')).status).toBe(200)
    await expect.poll(async () => (await fetch(`${node.url}/metrics`)).text())
      .toMatch(/agentmall_outbox_lag_entries 0/)
  } finally {
    await node.stop()
    for (const client of Object.values(stores)) client.disconnect()
  }
})

test('what scripts and transactions wrote is there after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-acl-restart-'))
  const start = () => startEmbeddedRedis({ dataDir: folder, cacheDir: cacheDir(), log })
  try {
    const first = await start()
    const shop = await openShop({}, { url: first.ledgerUrl })
    const product = await supplyProduct(shop.ledger)
    const { order_no: orderNo } = await shop.orders.place(attemptAt(product), newBuyer())
    await shop.orders.move('pay', orderNo)
    await shop.ledger.multi().set('both', '1').set('of them', '2').exec()
    shop.close()
    await first.stop()
    const second = await start()
    expect(await say(second.ledgerUrl, 'HGET', keys.order(product.partition, orderNo), 'status'))
      .toBe('paid')
    expect(await say(second.ledgerUrl, 'MGET', 'both', 'of them')).toEqual(['1', '2'])
    await second.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function orderOnce(shop: Shop): Promise<void> {
  const product = await supplyProduct(shop.ledger)
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), newBuyer())
  expect(await shop.orders.move('pay', orderNo)).toMatchObject({ code: 'moved' })
}

test('a user\'s name in LEDGER_URL works on a cluster', async () => {
  const common = await readFile(new URL('../../../config/redis.conf', import.meta.url), 'utf8')
  const cluster = await startOwnCluster({ settings: `${common}\n${userLine('node', 'a-node')}\n` })
  const shop = await openShop({}, {
    url: cluster.url.replaceAll(/redis:\/\/:[^@]+@/g, 'redis://node:a-node@'), replicas: 1,
  })
  try {
    await Promise.all(Array.from({ length: 12 }, () => orderOnce(shop)))
  } finally {
    shop.close()
    await cluster.remove()
  }
})

test('a replica needs the right to replicate alone, a health check that to ping', async () => {
  const master = await startLedger({
    settings: [userLine('replica', 'a-replica'), userLine('health')].join('\n'),
  })
  const replica = await startLedger({
    master, settings: 'masteruser replica\nmasterauth a-replica\nrepl-diskless-sync-delay 0',
  })
  try {
    await expect.poll(() => say(replica.url, 'INFO', 'replication')).toContain('link_status:up')
    const { port } = new URL(master.url)
    const health = `redis://health:none@127.0.0.1:${port}`
    expect(await say(health, 'PING')).toBe('PONG')
    for (const line of ['GET a', 'INFO', 'SCAN 0', 'CONFIG GET *']) {
      expect(await say(health, ...line.split(' ')), line).toBe('NOPERM')
    }
    expect(await say(`redis://replica:a-replica@127.0.0.1:${port}`, 'GET', 'a')).toBe('NOPERM')
  } finally {
    await replica.stop()
    await master.stop()
  }
})
