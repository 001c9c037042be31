/**
 * The parent of the node processes, and of the workers' where they have one: starts them, replaces
 * one that dies, drains them together.
 */
import type { ChildProcess } from 'node:child_process'
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import type { Logger } from '../log.ts'
import type { RedisUrls } from '../redis/roles.ts'
import { command, endAll, type Failure, forkSelf } from './fork.ts'
import { relayScrapes } from './scrape.ts'

/** A deadline for hangs: on a busy machine a node loads its code for a long time. */
const READY_MS_MAX = 180_000
/** A node that dies at once would be restarted in a tight loop without it. */
const RESTART_MS = 1000

/**
 * A node lives on about 90 MB. V8 lets garbage grow to four times that where a heap may be large,
 * and to less than twice where it may not. What lives for one call only fits into half of the space
 * that V8 gives it by default; in a quarter, answers over MCP cost a tenth more and their p99 six
 * times as much (docs/performance.md). It keeps that size when garbage is collected at the start's
 * end, which would leave it a sixteenth. What outlived a start says nothing of what calls make:
 * V8 would make it in the old space, where it holds what it names until a whole collection. There
 * is a node for each core, so the young heap is collected by one thread.
 */
export const NODE_OPTIONS = [
  '--max-old-space-size=512', '--max-semi-space-size=8', '--min-semi-space-size=8',
  '--no-allocation-site-pretenuring', '--no-parallel-scavenge',
] as const

/** The one other message that a parent sends: finish what is in flight, and end. */
export const DRAIN = 'drain'

/** What the parent tells a node when it starts; the rest is in the environment of both. */
export interface NodeOrders {
  readonly urls: RedisUrls
  readonly secret: string
  /** Platforms as the operator configured them; simulators for the others. */
  readonly malls: MallSettings
  /** Where the shops of the platforms that are simulated listen. */
  readonly sandboxShops?: SandboxShops
  /** Of the Redis servers that `start` runs itself; left out where they are the operator's. */
  readonly dataDir?: string
  /** Whether the workers have a process of their own; else each node runs them, too. */
  readonly hasOwnWorkers?: boolean
}

/** What a node tells its parent. */
export type NodeReport = { readonly ready: number } | Failure

export interface Supervisor {
  /** Gives all nodes their orders; resolves with the port when they listen. */
  start(orders: NodeOrders): Promise<number>
  /** Resolves when all nodes have finished what was in flight; kills what takes too long. */
  drain(ms: number): Promise<void>
}

/** How many nodes there are, and whether the workers have a process of their own. */
export interface Processes {
  readonly nodes: number
  readonly hasOwnWorkers: boolean
}

/** Forks at once: nodes load their code while Redis loads its data. */
export function createSupervisor({ nodes, hasOwnWorkers }: Processes, log: Logger): Supervisor {
  /** By their numbers, from 1 on. */
  const children = new Map<number, ChildProcess>()
  /** Those of them that have had their orders: before, they take any message for them. */
  const serving = new Map<number, ChildProcess>()
  let orders: NodeOrders | undefined
  let draining = false

  const nameOf = (number: number): string => (number > nodes ? 'the worker process' : 'a node')
  const titleOf = (number: number): string => (number > nodes ? 'The worker process' : 'A node')

  function spawn(number: number): ChildProcess {
    const child = forkSelf(number > nodes ? 'workers' : 'node', NODE_OPTIONS)
    children.set(number, child)
    relayScrapes(child, () => children.keys(), (one) => serving.get(one))
    child.on('exit', (code, signal) => {
      serving.delete(number)
      if (draining) return
      log.error({ node: child.pid, code, signal }, `${nameOf(number)} ended; starting another`)
      setTimeout(() => replace(number), RESTART_MS)
    })
    return child
  }

  function replace(number: number): void {
    if (draining) return
    const child = spawn(number)
    if (!orders) return
    serve(number, child, orders).catch((error: Error) => {
      log.error({ node: child.pid, error: error.message },
        `${nameOf(number)} did not start; trying again`)
      child.kill('SIGKILL')
    })
  }

  async function serve(number: number, child: ChildProcess, given: NodeOrders): Promise<number> {
    const report = await command<{ readonly ready: number }>(
      child, { ...given, hasOwnWorkers }, titleOf(number), READY_MS_MAX)
    serving.set(number, child)
    return report.ready
  }

  async function drain(ms: number): Promise<void> {
    draining = true
    await endAll(children.values(), (child) => child.send(DRAIN), ms)
  }

  for (let number = 1; number <= nodes + (hasOwnWorkers ? 1 : 0); number += 1) spawn(number)
  return {
    async start(given) {
      orders = given
      const [port] = await Promise.all([...children].map(([number, child]) =>
        serve(number, child, given)))
      return port as number
    },
    drain,
  }
}
