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
import { provisionRedis } from '../../src/dev/redis/provision.ts'
import { ask } from '../../src/dev/redis/server.ts'
import { readCompose, wordsOf, type Compose, type Service, type Variables } from './compose.ts'
import {
  createLocalhost, lastLines, type Localhost, type Plan, planFor, runBeside, type RunningService,
  startProcess,
} from './processes.ts'

export async function startTopology(variables = runVariables()): Promise<Topology> {
  const compose = runnablePart(readCompose(variables))
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-topology-'))
  const localhost = await createLocalhost(compose, folder)
  const redis = await provisionRedis({ cacheDir: cacheDir() })
  const plans = new Map(Object.entries(compose.services).map(([name, service]) =>
    [name, planFor(name, service, localhost, redis)]))
  const topology = new Topology({ compose, variables, folder, localhost, plans })
  try {
    await topology.startAll()
    return topology
  } catch (error) {
    await topology.stop()
    throw error
  }
}

interface TopologyOptions {
  readonly compose: Compose
  readonly variables: Variables
  readonly folder: string
  readonly localhost: Localhost
  readonly plans: ReadonlyMap<string, Plan>
}

/** The services that run, each a process of its own. */
export class Topology {
  /** The balancer's public address. */
  readonly url: string
  /** The services, in no order. */
  readonly names: readonly string[]
  /** Those that the balancer spreads requests over. */
  readonly nodes: readonly string[]
  readonly localhost: Localhost
  readonly plans: ReadonlyMap<string, Plan>
  private readonly compose: Compose
  private readonly variables: Variables
  private readonly folder: string
  private readonly running = new Map<string, RunningService>()
  private readonly starting = new Map<string, Promise<void>>()

  constructor(options: TopologyOptions) {
    const { compose, localhost, variables, folder, plans } = options
    this.compose = compose
    this.localhost = localhost
    this.variables = variables
    this.folder = folder
    this.plans = plans
    this.names = Object.keys(compose.services)
    this.nodes = this.names.filter((name) => isNode(serviceOf(compose, name)))
    this.url = `http://127.0.0.1:${localhost.port('haproxy', 8080)}`
  }

  service(name: string): RunningService {
    const found = this.running.get(name)
    if (!found) throw new Error(`${name} does not run.`)
    return found
  }

  async startAll(): Promise<void> {
    await Promise.all(this.names.map((name) => this.startOnce(name)))
    await this.untilBalanced()
  }

  /** Starts a service that ended; resolves when it is healthy. */
  async start(name: string): Promise<void> {
    this.starting.delete(name)
    await this.startOnce(name)
  }

  /** `agentmall …` on a node. */
  run(...args: readonly string[]): Promise<string> {
    return runBeside(this.plans.get(this.nodes[0] ?? '') as Plan, args)
  }

  /** What the balancer holds of each node: UP, DOWN, or on its way. */
  balancerView(): Promise<Readonly<Record<string, string>>> {
    return readStates(this.localhost.port('haproxy', 8404))
  }

  async untilBalanced(): Promise<void> {
    await until(async () => {
      const states = await this.balancerView()
      return this.nodes.every((name) => states[name] === 'UP')
    }, () => 'the balancer does not see every node')
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.starting.values())
    const isStore = (name: string): boolean =>
      wordsOf(serviceOf(this.compose, name))[0] === 'redis-server'
    const inOrder = [this.names.filter((name) => !isStore(name)), this.names.filter(isStore)]
    for (const those of inOrder) {
      await Promise.all(those.map((name) => this.running.get(name)?.stop()))
    }
    rmSync(this.folder, { recursive: true, force: true })
  }

  private startOnce(name: string): Promise<void> {
    const begun = this.starting.get(name) ?? this.begin(name)
    this.starting.set(name, begun)
    return begun
  }

  private async begin(name: string): Promise<void> {
    const service = serviceOf(this.compose, name)
    await Promise.all(Object.keys(service.depends_on ?? {}).map((one) => this.startOnce(one)))
    const plan = this.plans.get(name)
    if (!plan) throw new Error(`${name} has no program here.`)
    const started = startProcess(plan, this.localhost)
    this.running.set(name, started)
    try {
      await untilHealthy(name, service, started, this.localhost, this.variables)
    } catch (cause) {
      const reason = (cause as Error).message
      throw new Error(`${name}: ${reason}\n${lastLines(name, this.localhost)}`, { cause })
    }
  }
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

function serviceOf(compose: Compose, name: string): Service {
  const service = compose.services[name]
  if (!service) throw new Error(`There is no service ${name}.`)
  return service
}

/** One that serves, and not one that runs once. */
const isNode = (service: Service): boolean =>
  service.build !== undefined && service.healthcheck?.disable !== true

async function untilHealthy(
  name: string, service: Service, { process: child }: RunningService, localhost: Localhost,
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
        port: localhost.port(name, 6379), username: 'operator',
        password: variables['OPERATOR_PASSWORD'] ?? '',
      }
      return await ask(at, (redis) => redis.ping()) === 'PONG'
    }
    const address = service.build === undefined ? `${localhost.port(name, 8404)}/healthz`
      : `${localhost.port(name, 8080)}/readyz`
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
