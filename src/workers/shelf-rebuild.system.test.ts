/** A flushed shelf is answered as unavailable, and nodes fill it again by themselves. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCatalogue } from '../goods/import.ts'
import { changeCatalogue, type Stores } from '../goods/version.ts'
import { skuIdOf } from '../contract/ids.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as ledgerKeys } from '../redis/keys.ts'
import { ask } from '../dev/redis/server.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { ownLine } from '../testing/goods.ts'
import { startTestNode, type Answer, type TestNode } from '../testing/node.ts'
import { startShelf, type OwnShelf } from '../testing/shelf.ts'

const log = createLogger('silent')
const LINES = Array.from({ length: 30 }, (_, at) => ownLine(910_001 + at))
const SKU = skuIdOf(910_003)

let shelf: OwnShelf
let ledger: OwnLedger
let stores: Stores
let nodes: TestNode[]
beforeAll(async () => {
  [shelf, ledger] = await Promise.all([startShelf(), startLedger()])
  const [one, other] = [openRedis(shelf.url, log, 'bulk'), openRedis(ledger.url, log, 'bulk')]
  await Promise.all([untilReady(one, 'shelf'), untilReady(other, 'ledger')])
  stores = { shelf: one, ledger: other }
  await importCatalogue(stores, LINES)
  const redis = { shelf: shelf.url, ledger: ledger.url, counters: ledger.url }
  nodes = await Promise.all([1, 2].map(() => startTestNode({ redis })))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  stores.shelf.disconnect()
  stores.ledger.disconnect()
  await Promise.all([shelf.stop(), ledger.stop()])
})

const ASKED = ['/v1/goods?category_id=6', '/v1/goods', '/v1/goods?q=%E4%BF%9D%E6%B8%A9%E6%9D%AF',
  `/v1/goods/${SKU}`, `/v1/cps/local/goods/shelf:${SKU}`]

/** Of an answer: that it says what there is, or that nothing can be said. */
function judge(path: string, { status, envelope: { data } }: Answer): string {
  if (status === 503 && data.error === 'unavailable') return 'unavailable'
  const isRight = data.items ? data.total === LINES.length && data.items.length > 0
    : data.sku_id === SKU || data.item_id === `shelf:${SKU}`
  return status === 200 && isRight ? 'right' : `${path} ${status} ${JSON.stringify(data)}`
}

const askAll = async (): Promise<string[]> => (await Promise.all(nodes.flatMap((node) =>
  ASKED.map(async (path) => judge(path, await node.send('GET', path)))))).flat()

/** Asks on and on; the set of what was said until something was not right, and all is again. */
async function untilRight(): Promise<Set<string>> {
  const said = new Set<string>()
  await expect.poll(async () => {
    const answers = await askAll()
    for (const answer of answers) said.add(answer)
    return said.has('unavailable') && answers.every((answer) => answer === 'right')
  }, { interval: 20 }).toBe(true)
  return said
}

test('a flushed shelf is never told as empty, and is whole again without an operator',
  async () => {
    expect(new Set(await askAll())).toEqual(new Set(['right']))
    const reasons = new Set<string>()
    const state = { isOver: false }
    const watching = (async () => {
      while (!state.isOver) reasons.add((await nodes[0]?.send('GET', '/readyz'))?.text ?? '')
    })()
    await ask(shelf.server, (redis) => redis.flushall())
    expect(await untilRight()).toEqual(new Set(['unavailable', 'right']))
    await expect.poll(async () => (await nodes[0]?.send('GET', '/readyz'))?.status).toBe(200)
    state.isOver = true
    await watching
    expect([...reasons].join(' ')).toContain('the shelf is empty')
  })

test('a change of some goods does not end the silence of an empty shelf',
  async () => {
    // A node may still be rebuilding for the test before.
    await expect.poll(() => stores.ledger.exists(ledgerKeys.catalogueChange)).toBe(0)
    // Held by a change that goes on: nodes cannot rebuild meanwhile.
    await changeCatalogue(stores, async () => {
      await ask(shelf.server, (redis) => redis.flushall())
      await expect.poll(async () => new Set(await askAll())).toEqual(new Set(['unavailable']))
    })
    expect(await untilRight()).toEqual(new Set(['unavailable', 'right']))
  })
