/** Faults of the ledger's process: it dies, it hangs, it has no memory left. */
import { hasEnded } from '../../../redis/process.ts'
import { ask } from '../../../redis/server.ts'
import type { Chance } from '../chance.ts'
import { BOTH, WHOLE_MS_MAX, type Fault } from '../fault.ts'
import type { Stand } from '../stand.ts'

const END_MS_MAX = 10_000
/** Below what any Redis uses. */
const MEMORY_MAX = '1mb'

/** The process that takes writes: of a cluster, one of its masters. */
export async function aMaster(stand: Stand, chance: Chance) {
  const { single, cluster } = stand
  if (single) return { server: single.server(), restart: () => single.restart() }
  if (!cluster) throw new Error('there is no ledger')
  const member = chance.pick((await cluster.masters()).toSorted((a, b) => a.port - b.port))
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
  on: BOTH,
  lastsMs: [300, 6000],
  async inflict(stand, chance) {
    const { server, restart } = await aMaster(stand, chance)
    process.kill(server.pid, 'SIGKILL')
    await hasEnded(server, END_MS_MAX)
    return restart
  },
}

export const hangRedis: Fault = {
  name: 'hang-redis',
  on: BOTH,
  lastsMs: [500, 6000],
  async inflict(stand, chance) {
    const { server } = await aMaster(stand, chance)
    process.kill(server.pid, 'SIGSTOP')
    return async () => {
      process.kill(server.pid, 'SIGCONT')
      await stand.cluster?.untilWhole(WHOLE_MS_MAX)
    }
  },
}

export const outOfMemory: Fault = {
  name: 'out-of-memory',
  on: BOTH,
  lastsMs: [500, 4000],
  async inflict(stand, chance) {
    const { server } = await aMaster(stand, chance)
    const before = await ask(server, async (redis) => {
      const [, shipped = '0'] = await redis.config('GET', 'maxmemory') as string[]
      await redis.config('SET', 'maxmemory', MEMORY_MAX)
      return shipped
    })
    return async () => {
      await ask(server, (redis) => redis.config('SET', 'maxmemory', before))
    }
  },
}
