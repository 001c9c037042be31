/** The parent of the node processes: starts them, replaces one that dies, drains them together. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { withDeadline } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { RedisUrls } from '../redis/roles.ts'

const CLI = fileURLToPath(new URL('../cli.mjs', import.meta.url))
const READY_MS_MAX = 60_000
/** A node that dies at once would be restarted in a tight loop without it. */
const RESTART_MS = 1000

/** What the parent tells a node when it starts; the rest is in the environment of both. */
export interface NodeOrders {
  readonly urls: RedisUrls
  readonly secret: string
}

/** What a node tells its parent. */
export type NodeReport = { readonly ready: number } | { readonly failed: string }

export interface Supervisor {
  readonly port: number
  /** Resolves when all nodes have finished what was in flight; kills what takes too long. */
  drain(ms: number): Promise<void>
}

export async function superviseNodes(
  count: number, orders: NodeOrders, log: Logger,
): Promise<Supervisor> {
  const children = new Set<ChildProcess>()
  let draining = false

  async function run(): Promise<number> {
    const child = fork(CLI, ['node'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    children.add(child)
    child.on('exit', (code, signal) => {
      children.delete(child)
      if (draining) return
      log.error({ node: child.pid, code, signal }, 'a node ended; starting another')
      setTimeout(() => {
        if (!draining) run().catch((error: Error) => log.error({ error: error.message }, 'restart'))
      }, RESTART_MS)
    })
    child.send(orders)
    const ended = once(child, 'exit').then(() => { throw new Error('A node ended at its start.') })
    const report = await withDeadline(
      Promise.race([once(child, 'message'), ended]) as Promise<[NodeReport]>, READY_MS_MAX,
      () => new Error('A node did not become ready in time.'))
    ended.catch(() => undefined)
    if ('failed' in report[0]) throw new Error(report[0].failed)
    return report[0].ready
  }

  async function drain(ms: number): Promise<void> {
    draining = true
    const ends = [...children].map((child) => once(child, 'exit'))
    for (const child of children) if (child.connected) child.send('drain')
    try {
      await withDeadline(Promise.all(ends), ms, () => new Error('late'))
    } catch {
      for (const child of children) child.kill('SIGKILL')
    }
  }

  try {
    const ports = await Promise.all(Array.from({ length: count }, run))
    return { port: ports[0] as number, drain }
  } catch (error) {
    await drain(0)
    throw error
  }
}
