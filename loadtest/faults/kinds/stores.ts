/**
 * Faults of the stores: a ledger's process dies, hangs or has no memory left; its disk is full,
 * the power fails, a file ends in half a command; the shelf loses everything.
 */
import { appendFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { skuIdOf } from '../../../src/contract/ids.ts'
import { monotonicMs } from '../../../src/contract/time.ts'
import { hasEnded } from '../../../src/dev/redis/process.ts'
import { ask } from '../../../src/dev/redis/server.ts'
import { pauseFor } from '../attempts.ts'
import { ALL_LEDGERS, type Fault, untilSuccess, WHOLE_MS_MAX } from '../fault.ts'
import type { Random } from '../random.ts'
import type { Single, Testbed } from '../testbed.ts'

/** Below what any Redis uses. */
const MEMORY_MAX = '1mb'

/** The process that takes writes: of a cluster, one of its masters. */
async function aMaster(testbed: Testbed, random: Random) {
  const { single, cluster } = testbed
  if (single) return { server: single.server(), restart: () => single.restart() }
  if (!cluster) throw new Error('there is no ledger')
  const masters = await untilSuccess(() => cluster.masters())
  const member = random.pick(masters.toSorted((a, b) => a.port - b.port))
  return {
    server: member.server,
    async restart() {
      await cluster.restart(member)
      await cluster.untilWhole(WHOLE_MS_MAX)
    },
  }
}

export const killRedis: Fault = {
  name: 'kill-redis',
  on: ALL_LEDGERS,
  lastsMs: [300, 6000],
  async inflict(testbed, random) {
    const { server, restart } = await aMaster(testbed, random)
    process.kill(server.pid, 'SIGKILL')
    await hasEnded(server, WHOLE_MS_MAX)
    return restart
  },
}

export const hangRedis: Fault = {
  name: 'hang-redis',
  on: ALL_LEDGERS,
  lastsMs: [500, 6000],
  async inflict(testbed, random) {
    const { server } = await aMaster(testbed, random)
    process.kill(server.pid, 'SIGSTOP')
    return async () => {
      process.kill(server.pid, 'SIGCONT')
      await testbed.cluster?.untilWhole(WHOLE_MS_MAX)
    }
  },
}

export const outOfMemory: Fault = {
  name: 'out-of-memory',
  on: ALL_LEDGERS,
  lastsMs: [500, 4000],
  async inflict(testbed, random) {
    const { server } = await aMaster(testbed, random)
    const before = await ask(server, async (redis) => {
      const [, shipped = '0'] = await redis.config('GET', 'maxmemory') as string[]
      await redis.config('SET', 'maxmemory', MEMORY_MAX)
      return shipped
    }, WHOLE_MS_MAX)
    return async () => {
      await ask(server, (redis) => redis.config('SET', 'maxmemory', before), WHOLE_MS_MAX)
    }
  },
}

const PIECE_BYTES = 1_000_000
/** Of a command that was being written when the process died. */
const HALF_A_COMMAND = '*5\r\n$4\r\nHSET\r\n$20\r\n{p0}:order:AM00'

const singleOf = ({ single }: { single?: Single }): Single => {
  if (!single) throw new Error('this needs a single ledger')
  return single
}

/** A Redis that always syncs ends itself when it cannot write, rather than promise anything. */
export const fullDisk: Fault = {
  name: 'full-disk',
  on: ['single'],
  needs: 'mount',
  lastsMs: [500, 4000],
  async inflict(testbed) {
    const single = singleOf(testbed)
    const filler = join(single.directory, 'filler')
    writeFileSync(filler, '')
    for (let bytes = PIECE_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    if (statfsSync(single.directory).bavail > 0) throw new Error('the disk is not full')
    return async () => {
      rmSync(filler)
      await single.restart()
    }
  },
}

export const tornTail: Fault = {
  name: 'torn-tail',
  on: ['single'],
  lastsMs: [100, 1000],
  async inflict(testbed, random) {
    const single = singleOf(testbed)
    await single.kill()
    const half = HALF_A_COMMAND.slice(0, random.integer(1, HALF_A_COMMAND.length))
    appendFileSync(single.log(), half)
    return () => single.restart()
  },
}

/** The process dies and with it all that was not synced to the disk. */
export const powerLoss: Fault = {
  name: 'power-loss',
  on: ['single'],
  needs: 'synced',
  lastsMs: [100, 1000],
  async inflict(testbed) {
    const single = singleOf(testbed)
    if (statSync(single.log()).size === 0) throw new Error('nothing was written yet')
    await single.kill()
    single.losePower()
    return () => single.restart()
  },
}

const POLL_MS = 100

/** Goods are unavailable until nodes have filled it again; no answer says that there are none. */
export const flushShelf: Fault = {
  name: 'flush-shelf',
  on: ALL_LEDGERS,
  lastsMs: [0, 1000],
  async inflict(testbed) {
    await ask(testbed.shelf, (redis) => redis.flushall(), WHOLE_MS_MAX)
    return () => untilFilled(testbed)
  },
}

async function untilFilled({ nodes, plenty, buyers }: Testbed): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  const sku = skuIdOf(plenty[0]?.product_id ?? 0)
  const ways = nodes.flatMap(({ port }) =>
    ['goods', `goods/${sku}`].map((path) => `http://127.0.0.1:${port}/v1/${path}`))
  for (;;) {
    const answers = await Promise.all(ways.map((way) => judge(way, buyers[0]?.apiKey ?? '')))
    const wrong = answers.find((answer) => answer !== 'right' && answer !== 'unavailable')
    if (wrong !== undefined) throw new Error(`an empty shelf was answered as ${wrong}`)
    if (answers.every((answer) => answer === 'right')) return
    if (monotonicMs() > end) throw new Error('the shelf was not filled again')
    await pauseFor(POLL_MS)
  }
}

async function judge(way: string, apiKey: string): Promise<string> {
  const answer = await fetch(way, {
    headers: { 'X-Api-Key': apiKey }, signal: AbortSignal.timeout(5000),
  }).catch(() => undefined)
  // A node that another fault has taken away says nothing, and nothing wrong.
  if (!answer || [429, 503].includes(answer.status)) return 'unavailable'
  const { data } = await answer.json() as { data: { items?: unknown[], sku_id?: number } }
  const isThere = data.items ? data.items.length > 0 : data.sku_id !== undefined
  return answer.status === 200 && isThere ? 'right' : `${way} ${answer.status}`
}
