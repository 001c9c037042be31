/** What many agents cost: bytes of each on the ledger, a start, and the first call of a key. */
import { join } from 'node:path'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { ensureIndexes } from '../../src/goods/shelf-index.ts'
import { createLogger } from '../../src/log.ts'
import { openRedis, untilReady } from '../../src/redis/connect.ts'
import { createDurable } from '../../src/redis/durable.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import { cpuSeconds, residentMb, startNodeServer } from '../bench/processes.ts'
import { at, run } from './goods.ts'
import { removeData, startGrowthServer, usedMb } from './servers.ts'

export interface AgentsGrowth {
  readonly agents: number
  readonly bytesPerAgent: number
  readonly makeSeconds: number
  readonly ledgerStartSeconds: number
  readonly nodeStartSeconds: number
  readonly nodeMb: number
  /** The first call of keys that the node has not seen, eight at once. */
  readonly firstCallP50Ms: number
  readonly firstCallP99Ms: number
  readonly firstCallNodeUs: number
  /** The node once it has seen so many keys. */
  readonly nodeMbAfter: number
}

const CALLS = 5000
const AT_ONCE = 256
const log = createLogger('warn')

export async function* growAgents(
  sizes: readonly number[], parent: string,
): AsyncGenerator<AgentsGrowth> {
  const folder = join(parent, 'agents')
  await removeData(folder)
  const secret = randomBase62(40)
  const keys: string[] = []
  const shelf = await startGrowthServer('shelf', folder)
  let emptyMb: number | undefined
  try {
    const client = openRedis(shelf.url, log)
    await untilReady(client, 'shelf')
    await ensureIndexes(client)
    client.disconnect()
    for (const agents of sizes) {
      const ledger = await startGrowthServer('ledger', folder)
      const began = monotonicMs()
      const made = await makeKeys(ledger.url, secret, agents, keys)
      emptyMb ??= made.emptyMb
      const makeSeconds = (monotonicMs() - began) / 1000
      await ledger.stop()
      const again = await startGrowthServer('ledger', folder)
      const urls = { ledger: again.url, shelf: shelf.url, counters: shelf.url }
      try {
        yield {
          agents, makeSeconds, ledgerStartSeconds: again.seconds,
          bytesPerAgent: Math.round((made.usedMb - emptyMb) * 2 ** 20 / agents),
          ...await firstCalls(urls, secret, keys),
        }
      } finally {
        await again.stop()
      }
    }
  } finally {
    await shelf.stop()
    await removeData(folder)
  }
}

async function makeKeys(url: string, secret: string, agents: number, keys: string[]) {
  const [ledger, client] = [openRedis(url, log), openRedis(url, log)]
  await Promise.all([ledger, client].map((one) => untilReady(one, 'ledger')))
  const durable = createDurable({ client, replicas: 0, log })
  try {
    const secrets = await openSecrets(ledger, secret)
    const emptyMb = await usedMb(ledger)
    const apiKeys = new ApiKeys({
      ledger, durable, secrets, log, takeTrial: async () => undefined,
    })
    while (keys.length < agents) {
      const count = Math.min(AT_ONCE, agents - keys.length)
      keys.push(...await Promise.all(Array.from({ length: count }, async () =>
        (await apiKeys.createKey({ tier: 't2', label: 'growth' })).apiKey)))
    }
    return { emptyMb, usedMb: await usedMb(ledger) }
  } finally {
    durable.close()
    ledger.disconnect()
  }
}

async function firstCalls(
  urls: Parameters<typeof startNodeServer>[0]['urls'], secret: string, keys: readonly string[],
) {
  const began = monotonicMs()
  const node = await startNodeServer({ urls, secret })
  try {
    const nodeStartSeconds = (monotonicMs() - began) / 1000
    const nodeMb = residentMb(node.pid) ?? NaN
    const callers = keys.slice(-CALLS)
    const before = cpuSeconds(node.pid) ?? NaN
    const times = await run(node.port, callers.map((key) => ({
      method: 'GET', path: '/v1/orders', headers: { Authorization: `Bearer ${key}` },
    })))
    return {
      nodeStartSeconds, nodeMb, firstCallP50Ms: at(times, 0.5), firstCallP99Ms: at(times, 0.99),
      firstCallNodeUs: ((cpuSeconds(node.pid) ?? NaN) - before) / callers.length * 1e6,
      nodeMbAfter: residentMb(node.pid) ?? NaN,
    }
  } finally {
    await node.stop()
  }
}
