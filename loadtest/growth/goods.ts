/** What a growing catalogue costs: memory of the shelf, its start, a node's start, and searches. */
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import { prepareCatalogue } from '../../src/goods/prepare.ts'
import { createLogger } from '../../src/log.ts'
import { openRedis, untilReady, type RedisClient } from '../../src/redis/connect.ts'
import { shelf as keys } from '../../src/redis/keys.ts'
import { send } from '../bench/http-load.ts'
import { cpuSeconds, residentMb, startNodeServer } from '../bench/processes.ts'
import { ownLines, searchCall, searches, take } from '../bench/workload.ts'
import { removeData, startGrowthServer, usedMb } from './servers.ts'

export interface GoodsGrowth {
  readonly goods: number
  readonly importSeconds: number
  readonly shelfMb: number
  /** What RediSearch says that its two indexes take of it. */
  readonly indexMb: number
  readonly ledgerMb: number
  /** From its start until its indexes are whole. */
  readonly shelfStartSeconds: number
  readonly nodeStartSeconds: number
  readonly nodeMb: number
  /** Searches never made before, eight at once. */
  readonly searchP50Ms: number
  readonly searchP99Ms: number
  /** CPU time of one, of the node and of the shelf. */
  readonly searchNodeUs: number
  readonly searchShelfUs: number
}

const SEED = 'agentmall-1'
const SEARCHES = 1200
const WARM_SEARCHES = 200
const AT_ONCE = 8
const POLL_MS = 100
/** On a busy machine a node answers its first calls late. */
const ANSWER_MS_MAX = 120_000
const log = createLogger('warn')

export async function growGoods(goods: number, folder: string): Promise<GoodsGrowth> {
  const data = join(folder, `goods-${goods}`)
  await removeData(data)
  const ledger = await startGrowthServer('ledger', data)
  let shelf = await startGrowthServer('shelf', data)
  try {
    const urlsOf = () => ({ ledger: ledger.url, shelf: shelf.url, counters: shelf.url })
    const began = monotonicMs()
    await prepareCatalogue({
      urls: urlsOf(), config: { ...readConfig({}), catalogItems: goods, catalogSeed: SEED },
      log, progress: Object.assign(() => {}, { end() {} }),
    })
    const importSeconds = (monotonicMs() - began) / 1000
    await shelf.stop()
    const restarted = monotonicMs()
    shelf = await startGrowthServer('shelf', data)
    const client = openRedis(shelf.url, log)
    const books = openRedis(ledger.url, log)
    try {
      await Promise.all([untilReady(client, 'shelf'), untilReady(books, 'ledger')])
      const indexMb = await wholeIndexesMb(client)
      const shelfStartSeconds = (monotonicMs() - restarted) / 1000
      const memory = {
        shelfMb: await usedMb(client), indexMb, ledgerMb: await usedMb(books),
      }
      return {
        goods, importSeconds, shelfStartSeconds, ...memory,
        ...await search(goods, urlsOf(), shelf.pid),
      }
    } finally {
      client.disconnect()
      books.disconnect()
    }
  } finally {
    await Promise.all([ledger.stop(), shelf.stop()])
    await removeData(data)
  }
}

/** Waits until nothing is left to be indexed. */
async function wholeIndexesMb(client: RedisClient): Promise<number> {
  for (;;) {
    const facts = await Promise.all([keys.ownAlias, keys.offersAlias].map(async (alias) => {
      const flat = await client.call('FT.INFO', alias) as unknown[]
      const of = (name: string): number => Number(flat[flat.indexOf(name) + 1])
      return { indexing: of('indexing'), mb: of('total_index_memory_sz_mb') }
    }))
    if (facts.every(({ indexing }) => indexing === 0)) {
      return facts.reduce((sum, { mb }) => sum + mb, 0)
    }
    await sleep(POLL_MS)
  }
}

async function search(
  goods: number, urls: Parameters<typeof startNodeServer>[0]['urls'], shelfPid: number,
) {
  const began = monotonicMs()
  const node = await startNodeServer({ urls, secret: randomBase62(40) })
  try {
    const nodeStartSeconds = (monotonicMs() - began) / 1000
    const nodeMb = residentMb(node.pid) ?? NaN
    const endless = searches(ownLines(goods, SEED), goods)
    await run(node.port, take(endless, WARM_SEARCHES).map(searchCall))
    const [nodeBefore, shelfBefore] = [cpuSeconds(node.pid), cpuSeconds(shelfPid)]
    const times = await run(node.port, take(endless, SEARCHES).map(searchCall))
    const usOf = (pid: number, before = NaN): number =>
      ((cpuSeconds(pid) ?? NaN) - before) / SEARCHES * 1e6
    return {
      nodeStartSeconds, nodeMb,
      searchP50Ms: at(times, 0.5), searchP99Ms: at(times, 0.99),
      searchNodeUs: usOf(node.pid, nodeBefore), searchShelfUs: usOf(shelfPid, shelfBefore),
    }
  } finally {
    await node.stop()
  }
}

/** Milliseconds of each, shortest first. */
export async function run(
  port: number, calls: readonly Parameters<typeof send>[1][],
): Promise<number[]> {
  const times: number[] = []
  const left = calls.values()
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const call of left) {
      const began = monotonicMs()
      const { status } = await send(port, call, ANSWER_MS_MAX)
      if (status !== 200) throw new Error(`${call.path} was answered with ${status}.`)
      times.push(monotonicMs() - began)
    }
  }))
  return times.toSorted((one, other) => one - other)
}

export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

