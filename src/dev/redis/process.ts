/** Which process a pid means. Pids are used again, so a pid counts only with its time of birth. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { monotonicMs, sleep } from '../../contract/time.ts'

export interface ProcessId {
  readonly pid: number
  readonly born: string
}

const POLL_MS = 10

/** Undefined when there is no such process, or only its remains that nobody collected yet. */
export function identifyProcess(pid: number): ProcessId | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornElsewhere(pid)
  return born === undefined ? undefined : { pid, born }
}

export function isAlive(known: ProcessId): boolean {
  return identifyProcess(known.pid)?.born === known.born
}

/** Whether the process ended in time. */
export async function hasEnded(known: ProcessId, withinMs: number): Promise<boolean> {
  const end = monotonicMs() + withinMs
  while (isAlive(known)) {
    if (monotonicMs() > end) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Signals that very process, and none that took over its pid. */
export function signal(known: ProcessId, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isAlive(known)) process.kill(known.pid, name)
  } catch {
    // It ended in between.
  }
}

function bornOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold spaces; fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isRemains = fields[0] === 'Z' || fields[0] === 'X'
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return isRemains ? undefined : `${boot}:${fields[19]}`
  } catch {
    return undefined
  }
}

function bornElsewhere(pid: number): string | undefined {
  const result = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8', timeout: 5000,
  })
  const [state, ...born] = (result.stdout ?? '').trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : born.join(' ')
}
