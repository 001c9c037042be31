/** Which process runs on which core. */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Who is asked for its speed: the HTTP server, one of the two Redis processes, or all at once. */
export type Subject = 'server' | 'shelf' | 'ledger' | 'all'

/** Lists of cores as taskset takes them; undefined where nothing can be pinned. */
export interface Placement {
  readonly server: string
  readonly shelf: string
  readonly ledger: string
  readonly client: string
}

/**
 * From four cores on each has its own. With two, the subject has one alone and all others share
 * the second: then its limit and the node are measured with the same room for the subject, and
 * what the node does on the other core must not become the bottleneck, or it shows as a miss.
 * Where two need more than a core each (`all`), the system may use every core for any of them.
 */
export function placementFor(subject: Subject, cores = availableParallelism()): Placement {
  if (cores >= 4) {
    return { server: '0', shelf: '1', ledger: '2', client: cores > 4 ? `3-${cores - 1}` : '3' }
  }
  if (subject === 'all') {
    const every = `0-${cores - 1}`
    return { server: every, shelf: every, ledger: every, client: every }
  }
  const others = cores === 3 ? '1-2' : '1'
  const all = { server: others, shelf: others, ledger: others, client: others }
  return { ...all, [subject]: '0' }
}

export const canPin = (): boolean => availableParallelism() > 1
  && spawnSync('taskset', ['-V'], { timeout: 5000 }).status === 0

/** All threads of a process. */
export function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { timeout: 5000 })
}

/** A command as it is started on these cores. */
export const onCores = (cores: string | undefined, command: readonly string[]): string[] =>
  cores === undefined ? [...command] : ['taskset', '-c', cores, ...command]
