/** Nodes of a run's own, on the Redis of the service that runs here, and their troubles. */
import defaults from '../../config/default.json' with { type: 'json' }
import { MALL_NAMES } from '../../adapters/names.ts'
import type { RedisUrls } from '../../src/redis/roles.ts'
import { startSandboxMalls } from '../../src/start/sandbox-malls.ts'
import { keptPort } from '../../src/testing/faults/ports.ts'
import { startNodeServer, type NodeServer } from '../bench/node-server.ts'
import type { Stand } from './profiles.ts'
import type { Troubles } from './trouble.ts'

/** One that hangs and one that drips: neither fails, both are late. */
const SLOW = [['mall_b', 'hang'], ['mall_c', 'drip']] as const
const FOR_EVER = 1_000_000
/** As nodes behind a balancer are set: who is connected is told to go before anybody is cut off. */
const NOTICE_MS = 3000

export interface OwnNodes {
  readonly baseUrls: readonly string[]
  readonly troubles: Troubles
  close(): Promise<void>
}

export async function startStand(
  { nodes: count, isShared, hasMalls }: Stand, at: { urls: RedisUrls, secret: string },
): Promise<OwnNodes> {
  const malls = await startSandboxMalls({
    missing: hasMalls ? MALL_NAMES : [], seed: defaults.catalogSeed,
    items: defaults.catalogItems, publicUrl: 'http://localhost:8080',
    stepMs: defaults.sandboxStepMs,
  })
  const port = isShared ? await keptPort() : 0
  const nodes: NodeServer[] = []
  const start = async (): Promise<void> => {
    nodes.push(await startNodeServer({
      ...at, port, nodes: isShared ? count : 1, malls: malls.settings,
      drainNoticeMs: isShared ? NOTICE_MS : 0,
    }))
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    await malls.close()
  }
  try {
    for (let n = 0; n < count; n += 1) await start()
  } catch (error) {
    await close()
    throw error
  }
  const urls = new Set(nodes.map((node) => `http://127.0.0.1:${node.port}`))
  return {
    baseUrls: [...urls],
    close,
    troubles: {
      drain: async () => { await nodes.shift()?.stop() },
      kill: async () => { await nodes.shift()?.kill() },
      async slow() {
        for (const [name, fault] of SLOW) {
          malls.simulators.find((one) => one.name === name)?.faults.add('*', fault, FOR_EVER)
        }
      },
    },
  }
}
