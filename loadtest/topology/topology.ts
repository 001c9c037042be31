/**
 * The production shape of docker-compose.yml as processes of this machine, on 127.0.0.1 only: the
 * services that have a program here, in their order, each healthy before what depends on it.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicMs, sleep, withDeadline } from '../../src/contract/time.ts'
import { cacheDir } from '../../src/config.ts'
import { randomBase62 } from '../../src/contract/ids.ts'
import { provisionRedis } from '../../src/redis/provision.ts'
import { ask } from '../../src/redis/server.ts'
import { readCompose, wordsOf, type Compose, type Service, type Variables } from './compose.ts'
import { createPlace, type Place } from './place.ts'
import {
  lastLines, planFor, runBeside, startProcess, type Plan, type RunningService,
} from './processes.ts'

export interface Topology {
  /** The balancer's public address. */
  readonly url: string
  /** The services that run, in no order. */
  readonly names: readonly string[]
  /** Those that the balancer spreads requests over. */
  readonly nodes: readonly string[]
  readonly place: Place
  readonly plans: ReadonlyMap<string, Plan>
  service(name: string): RunningService
  /** Starts a service that ended; resolves when it is healthy. */
  start(name: string): Promise<void>
  /** `agentmall …` on a node. */
  run(...args: readonly string[]): Promise<string>
  /** What the balancer holds of each node: UP, DOWN, or on its way. */
  balancerView(): Promise<Readonly<Record<string, string>>>
  untilBalanced(): Promise<void>
  stop(): Promise<void>
}

const PROGRAMS: ReadonlySet<string> = new Set(['redis-server', 'node', 'haproxy'])
const HEALTHY_MS_MAX = 120_000
const ASK_MS_MAX = 3000
const POLL_MS = 100

/** The services, beyond those of profiles, whose program can be a process here. */
const runnablePart = (compose: Compose): Compose => ({
  ...compose,
  services: Object.fromEntries(Object.entries(compose.services).filter(([, service]) =>
    service.profiles === undefined && PROGRAMS.has(wordsOf(service)[0] ?? ''))),
})

/** Secrets of one run; the catalogue is small, so that it starts in seconds. */
export const runVariables = (): Variables => ({
  SECRET: randomBase62(40), REDIS_PASSWORD: randomBase62(32),
  OPERATOR_PASSWORD: randomBase62(32), REPLICA_PASSWORD: randomBase62(32),
  METRICS_TOKEN: randomBase62(32), GRAFANA_PASSWORD: randomBase62(32),
  CATALOG_ITEMS: '1200', LOG_LEVEL: 'warn',
})

export async function startTopology(variables = runVariables()): Promise<Topology> {
  const compose = runnablePart(readCompose(variables))
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-topology-'))
  const place = await createPlace(compose, folder)
  const redis = await provisionRedis({ cacheDir: cacheDir() })
  const names = Object.keys(compose.services)
  const plans = new Map(names.map((name) =>
    [name, planFor(name, serviceOf(compose, name), place, redis)]))
  const running = new Map<string, RunningService>()
  const starting = new Map<string, Promise<void>>()
  const nodes = names.filter((name) => isNode(serviceOf(compose, name)))
  const url = `http://127.0.0.1:${place.port('haproxy', 8080)}`

  async function begin(name: string): Promise<void> {
    const service = serviceOf(compose, name)
    await Promise.all(Object.keys(service.depends_on ?? {}).map(startOnce))
    const plan = plans.get(name)
    if (!plan) throw new Error(`${name} has no program here.`)
    const started = startProcess(plan, place)
    running.set(name, started)
    try {
      await untilHealthy(name, service, started, place, variables)
    } catch (cause) {
      const reason = (cause as Error).message
      throw new Error(`${name}: ${reason}\n${lastLines(name, place)}`, { cause })
    }
  }
  function startOnce(name: string): Promise<void> {
    const begun = starting.get(name) ?? begin(name)
    starting.set(name, begun)
    return begun
  }
  async function stop(): Promise<void> {
    await Promise.allSettled(starting.values())
    const isStore = (name: string): boolean =>
      wordsOf(serviceOf(compose, name))[0] === 'redis-server'
    for (const those of [names.filter((name) => !isStore(name)), names.filter(isStore)]) {
      await Promise.all(those.map((name) => running.get(name)?.stop()))
    }
    rmSync(folder, { recursive: true, force: true })
  }

  const topology: Topology = {
    url, names, nodes, place, plans, stop,
    service(name) {
      const found = running.get(name)
      if (!found) throw new Error(`${name} does not run.`)
      return found
    },
    async start(name) {
      starting.delete(name)
      await startOnce(name)
    },
    run: (...args) => runBeside(plans.get(nodes[0] ?? '') as Plan, args),
    balancerView: async () => await readStates(place.port('haproxy', 8404)),
    async untilBalanced() {
      await until(async () => {
        const states = await topology.balancerView()
        return nodes.every((name) => states[name] === 'UP')
      }, () => 'the balancer does not see every node')
    },
  }
  try {
    await Promise.all(names.map(startOnce))
    await topology.untilBalanced()
    return topology
  } catch (error) {
    await stop()
    throw error
  }
}

function serviceOf(compose: Compose, name: string): Service {
  const service = compose.services[name]
  if (!service) throw new Error(`There is no service ${name}.`)
  return service
}

/** One that serves, and not one that runs once. */
const isNode = (service: Service): boolean =>
  service.build !== undefined && service.healthcheck?.disable !== true

async function untilHealthy(
  name: string, service: Service, { process: child }: RunningService, place: Place,
  variables: Variables,
): Promise<void> {
  if (service.healthcheck?.disable) {
    if (child.exitCode === null) {
      await withDeadline(once(child, 'exit'), HEALTHY_MS_MAX, () => new Error('did not end'))
    }
    if (child.exitCode !== 0) throw new Error(`ended with ${child.exitCode ?? child.signalCode}`)
    return
  }
  await until(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return 'over'
    if (wordsOf(service)[0] === 'redis-server') {
      const at = {
        port: place.port(name, 6379), username: 'operator',
        password: variables['OPERATOR_PASSWORD'] ?? '',
      }
      return await ask(at, (redis) => redis.ping()) === 'PONG'
    }
    const address = service.build === undefined ? `${place.port(name, 8404)}/healthz`
      : `${place.port(name, 8080)}/readyz`
    return (await get(`http://127.0.0.1:${address}`)).ok
  }, () => 'is not healthy in time')
  if (child.exitCode !== null || child.signalCode !== null) throw new Error('ended at once')
}

async function readStates(port: number): Promise<Record<string, string>> {
  const text = await (await get(`http://127.0.0.1:${port}/stats;csv`)).text()
  const [head = '', ...rows] = text.trimEnd().split('\n').map((line) => line.split(','))
  const column = (name: string): number => (head as string[]).indexOf(name)
  return Object.fromEntries(rows.filter(([backend]) => backend === 'ready')
    .map((row) => [row[column('svname')] ?? '', row[column('status')] ?? '']))
}

const get = (url: string): Promise<Response> =>
  fetch(url, { signal: AbortSignal.timeout(ASK_MS_MAX) })

async function until(
  isDone: () => Promise<boolean | string>, late: () => string,
): Promise<void> {
  const end = monotonicMs() + HEALTHY_MS_MAX
  while (!await isDone().catch(() => false)) {
    if (monotonicMs() > end) throw new Error(late())
    await sleep(POLL_MS)
  }
}
