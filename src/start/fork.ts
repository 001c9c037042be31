/** Processes of this program that `start` has beside it: each gets its orders in one message. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentWith } from '../config.ts'
import { withDeadline } from '../contract/time.ts'
import { KnownFailure } from '../failure.ts'

/** Of this very build, whatever became of the sources since; in a test there is none. */
const BUILT = join(import.meta.dirname, 'cli.js')
export const CLI = existsSync(BUILT) ? BUILT
  : fileURLToPath(new URL('../cli.mjs', import.meta.url))

/** What a process that could not do as it was ordered tells its parent. */
export interface Failure { readonly failed: string, readonly isKnown: boolean }

/**
 * glibc gives each thread a pool of its own, and pools grow and are seldom given back: what is
 * freed after the start, and after code is compiled, would stay with the process. A large block of
 * its own goes back to the system when it is freed (docs/performance.md).
 */
export const MEMORY_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536',
} as const

export const forkSelf = (command: string, execArgv: readonly string[] = []): ChildProcess =>
  fork(CLI, [command], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [...execArgv],
    env: environmentWith(MEMORY_ENVIRONMENT),
  })

/** Gives it its orders; resolves with its report, and rejects when it fails or ends instead. */
export async function command<Report extends object>(
  child: ChildProcess, orders: object, what: string, ms = Infinity,
): Promise<Report> {
  const ended = once(child, 'exit').then(() => { throw new Error(`${what} ended at its start.`) })
  ended.catch(() => undefined)
  child.send(orders)
  const answer = Promise.race([once(child, 'message'), ended]) as Promise<[Report | Failure]>
  const [report] = await (ms === Infinity ? answer
    : withDeadline(answer, ms, () => new Error(`${what} did not become ready in time.`)))
  if ('failed' in report) {
    throw report.isKnown ? new KnownFailure(report.failed) : new Error(report.failed)
  }
  return report
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** Resolves when those that live have ended as `tell` asks them to; kills what takes too long. */
export async function endAll(
  children: Iterable<ChildProcess>, tell: (child: ChildProcess) => void, ms: number,
): Promise<void> {
  const living = [...children].filter(isAlive)
  const ends = living.map((child) => once(child, 'exit'))
  for (const child of living) if (child.connected) tell(child)
  try {
    await withDeadline(Promise.all(ends), ms, () => new Error('late'))
  } catch {
    for (const child of living) child.kill('SIGKILL')
  }
}
