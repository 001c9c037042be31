/**
 * A ledger that died while it wrote an order down: whatever part of its log is on the disk, the
 * order and its claim are there whole, or nothing of them.
 */
import {
  cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheDir } from '../config.ts'
import { provisionRedis } from '../dev/redis/provision.ts'
import { ask, type RunningServer, startOnFreePort, stopServer } from '../dev/redis/server.ts'
import { ledger as keys } from '../redis/keys.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { attemptAt, newBuyer, openShop, type Product, supplyProduct } from '../testing/products.ts'
import { claimKey } from './place-order.ts'

const PASSWORD = 'torn-log-only'
const STOCK = 10
const QTY = 3

const folder = mkdtempSync(join(tmpdir(), 'agentmall-torn-'))
const whole = join(folder, 'whole')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serverIn(directory: string): Promise<RunningServer> {
  mkdirSync(directory, { recursive: true })
  const { server: program } = await provisionRedis({ cacheDir: cacheDir() })
  return await startOnFreePort({
    program, directory, password: PASSWORD, readyWithinMs: PATIENCE_MS,
    settings: readFileSync(new URL('../../config/redis.conf', import.meta.url), 'utf8'),
  })
}

const kill = async (server: RunningServer): Promise<void> => {
  process.kill(server.pid, 'SIGKILL')
  await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
}

/** What was appended since the server started, by each of its starts. */
function logIn(directory: string): string {
  const inner = join(directory, 'appendonlydir')
  const [name = 'none'] = readdirSync(inner).filter((one) => one.endsWith('.incr.aof')).toReversed()
  return join(inner, name)
}

/** Where each command behind a place in the log begins, and the middle of each. */
function cutsIn(log: Buffer, from: number): number[] {
  const starts = [...log.subarray(from).toString('latin1').matchAll(/\*\d+\r\n\$/g)]
    .map(({ index }) => from + index)
  return starts.flatMap((start, at) =>
    [start, Math.floor((start + (starts[at + 1] ?? log.length)) / 2)])
}

let placed: { product: Product, orderNo: string, claim: string, cuts: number[], size: number }

beforeAll(async () => {
  const server = await serverIn(whole)
  const shop = await openShop({}, { url: `redis://:${PASSWORD}@127.0.0.1:${server.port}` })
  const [product, buyer] = [await supplyProduct(shop.ledger, { stock: STOCK }), newBuyer()]
  const input = attemptAt(product, { qty: QTY })
  const before = statSync(logIn(whole)).size
  const { order_no: orderNo } = await shop.orders.place(input, buyer)
  shop.close()
  await kill(server)
  const log = readFileSync(logIn(whole))
  placed = {
    product, orderNo, cuts: cutsIn(log, before), size: log.length,
    claim: claimKey(buyer.agent, input.idempotency_key),
  }
})

/** What a server finds that starts with the log up to there. */
async function foundAfter(cut: number) {
  const { product: { partition, productId }, orderNo, claim } = placed
  const directory = join(folder, `cut-${cut}`)
  cpSync(join(whole, 'appendonlydir'), join(directory, 'appendonlydir'), { recursive: true })
  truncateSync(logIn(directory), cut)
  const server = await serverIn(directory)
  try {
    return await ask(server, async (redis) => ({
      claim: await redis.exists(claim),
      order: await redis.exists(keys.order(partition, orderNo)),
      timeline: await redis.llen(keys.events(partition, orderNo)),
      unpaid: await redis.zcard(keys.unpaid(partition)),
      outbox: await redis.xlen(keys.outbox(partition)),
      held: STOCK - Number(await redis.hget(keys.stock(partition), String(productId))),
    }))
  } finally {
    await kill(server)
    rmSync(directory, { recursive: true, force: true })
  }
}

const NOTHING = { claim: 0, order: 0, timeline: 0, unpaid: 0, outbox: 0, held: 0 }
const ALL = { claim: 1, order: 1, timeline: 1, unpaid: 1, outbox: 1, held: QTY }

test('a log that ends before, between and inside the commands of an order has nothing of it',
  async () => {
    const { cuts } = placed
    expect(cuts.length).toBeGreaterThan(10)
    const found = []
    for (const cut of cuts) found.push(await foundAfter(cut))
    expect(found).toEqual(cuts.map(() => NOTHING))
  })

test('a whole log has all of it', async () => {
  expect(await foundAfter(placed.size)).toEqual(ALL)
})
