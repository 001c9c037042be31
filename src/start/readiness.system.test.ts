import { afterEach, expect, inject, test } from 'vitest'
import type { Goods } from '../goods/goods.ts'
import { indexesComplete } from '../goods/shelf-index.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { createReadiness } from './readiness.ts'

const log = createLogger('silent')
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(url: string): Promise<RedisClient> {
  const client = openRedis(url, log)
  closing.push(() => client.disconnect())
  await untilReady(client, 'own')
  return client
}

async function openOwn(): Promise<{ server: OwnLedger, ledger: RedisClient }> {
  const server = await startLedger()
  closing.push(() => server.stop())
  return { server, ledger: await open(server.url) }
}

const openShelf = (): Promise<RedisClient> => open(inject('redis').shelfUrl)

/** As much of the goods as is asked here. */
const goodsOn = (shelf: RedisClient): Goods =>
  ({
    isReady: () => indexesComplete(shelf), isEmptied: async () => false,
  } as unknown as Goods)

const never = (): boolean => false

test('a node with a ledger that takes writes and a complete index is ready', async () => {
  const { ledger } = await openOwn()
  const unready = createReadiness({ ledger, goods: goodsOn(await openShelf()) }, never)
  await expect.poll(unready).toBeUndefined()
})

test('a ledger that answers and takes no writes is not enough, until it takes them', async () => {
  const { ledger } = await openOwn()
  const unready = createReadiness({ ledger, goods: goodsOn(await openShelf()) }, never)
  await ledger.config('SET', 'min-replicas-to-write', '1')
  expect(await ledger.ping()).toBe('PONG')
  await expect.poll(unready).toBe('the ledger takes no writes')
  await ledger.config('SET', 'min-replicas-to-write', '0')
  await expect.poll(unready).toBeUndefined()
})

test('a ledger that hangs is said in time', async () => {
  const { server, ledger } = await openOwn()
  const unready = createReadiness({ ledger, goods: goodsOn(await openShelf()) }, never)
  process.kill(server.server.pid, 'SIGSTOP')
  expect(await unready()).toBe('the ledger takes no writes')
})

test('a shelf without the goods index is not enough', async () => {
  const { ledger } = await openOwn()
  const unready = createReadiness({ ledger, goods: goodsOn(ledger) }, never)
  await expect.poll(unready).toBe('the goods index is not there or not complete')
})

test('a node that stops says so at once, whatever was seen a moment ago', async () => {
  const { ledger } = await openOwn()
  let isStopping = false
  const goods = goodsOn(await openShelf())
  const unready = createReadiness({ ledger, goods }, () => isStopping)
  await expect.poll(unready).toBeUndefined()
  isStopping = true
  expect(await unready()).toBe('the node is stopping')
})
