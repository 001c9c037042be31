/** Processes that a test run began: each inherits the run's name, or works in its folder. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hasEnded, identifyProcess, signal, type ProcessId } from '../dev/redis/process.ts'

/** The variable of the run's name. */
export const RUN = 'AGENTMALL_TEST_RUN'

export interface TestRun {
  readonly name: string
  /** What its tests have for temporary files. */
  readonly folder: string
}

export interface RunProcess extends ProcessId {
  readonly parent: number
  readonly command: string
}

/** Those that run now, by what Linux says of them; elsewhere none is found. */
export function processesOf({ name, folder }: TestRun): RunProcess[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)).flatMap((pid) => {
    try {
      const known = identifyProcess(Number(pid))
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${RUN}=${name}`)
        // A redis-server writes its title over its environment.
        || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
      if (!known || !isOurs) return []
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return [{ ...known, parent, command }]
    } catch {
      return [] // It has ended, or belongs to another user.
    }
  })
}

/** Waits that long for them to end by themselves, and kills the others: those it gives. */
export async function endProcesses(
  find: () => RunProcess[], withinMs: number,
): Promise<RunProcess[]> {
  await Promise.all(find().map((one) => hasEnded(one, withinMs)))
  const left = find()
  for (const one of left) signal(one, 'SIGKILL')
  return left
}
