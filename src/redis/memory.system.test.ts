/** The memory of Redis as it is shipped: bounded, with room beside it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { totalmem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cacheDir } from '../config.ts'
import { createLogger } from '../log.ts'
import { startTestNode } from '../testing/node.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, stockOf, supplyProduct,
} from '../testing/products.ts'
import { openRedis, untilReady } from './connect.ts'
import { embeddedShare, startEmbeddedRedis } from '../dev/redis/embedded.ts'
import { memoryUse } from './durability.ts'

const log = createLogger('silent')
const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-memory-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const MIB = 2 ** 20
/** The least that each server of the embedded Redis has. */
const LEAST = 256 * MIB
const PIECE = 32 * MIB

test('both servers of the embedded Redis leave half of the machine free', () => {
  expect(2 * embeddedShare(0)).toBeLessThanOrEqual(Math.max(totalmem() / 2, 2 * LEAST))
  expect(embeddedShare(2000)).toBe(1000 * MIB)
  expect(embeddedShare(1)).toBe(LEAST)
})

test.each(['redis.conf', 'redis-shelf.conf'])('%s bounds its memory, and evicts nothing',
  async (name) => {
    const text = await readFile(new URL(`../../config/${name}`, import.meta.url), 'utf8')
    expect(text).toMatch(/^maxmemory [1-9]\d*[mg]b$/m)
    expect(text).toMatch(/^maxmemory-policy noeviction$/m)
  })

test('a ledger that is full by its own settings lives on: orders end, none begins', async () => {
  const embedded = await startEmbeddedRedis({
    dataDir, cacheDir: cacheDir(), log, roles: ['ledger'], embeddedMemoryMb: 1,
  })
  const shop = await openShop({}, { url: embedded.ledgerUrl })
  const redis = openRedis(embedded.ledgerUrl, log, 'bulk')
  try {
    await untilReady(redis, 'ledger')
    const [product, buyer] = [await supplyProduct(shop.ledger), newBuyer()]
    const { order_no } = await shop.orders.place(attemptAt(product, { qty: 3 }), buyer)
    const filled = await (async () => {
      for (let piece = 0; piece < 20; piece += 1) await redis.setrange(`fill:${piece}`, PIECE, 'x')
    })().catch((error: Error) => error.message)
    expect(filled).toMatch(/^OOM /)
    expect(await memoryUse(redis as never)).toMatchObject({ max: LEAST, isPersisting: true })
    expect(await refusalOf(shop.orders.place(attemptAt(product), buyer)))
      .toMatchObject({ error: 'unavailable' })
    expect((await shop.orders.cancel(buyer.agent, order_no)).status).toBe('closed')
    expect(await stockOf(shop.ledger, product)).toBe(10)
    await redis.del(...Array.from({ length: 20 }, (_, piece) => `fill:${piece}`))
    expect(await shop.orders.place(attemptAt(product), buyer)).toMatchObject({ duplicate: false })
  } finally {
    redis.disconnect()
    shop.close()
    await embedded.stop()
  }
})

test('a node tells what each Redis holds and may hold, and what the disk has left', async () => {
  const node = await startTestNode()
  try {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    const value = (series: string): number =>
      Number(RegExp(`^agentmall_${series} (\\S+)$`, 'm').exec(text)?.[1])
    for (const role of ['ledger', 'shelf', 'counters']) {
      const of = (name: string) => value(`${name}\\{role="${role}",address="[^"]+"\\}`)
      expect(of('redis_memory_max_bytes')).toBeGreaterThan(of('redis_memory_used_bytes'))
      expect(of('redis_memory_used_bytes')).toBeGreaterThan(0)
      expect(of('redis_persistence_ok')).toBe(1)
    }
    expect(value('data_disk_free_bytes')).toBeGreaterThan(0)
    expect(value('data_disk_size_bytes')).toBeGreaterThanOrEqual(value('data_disk_free_bytes'))
  } finally {
    await node.stop()
  }
})
