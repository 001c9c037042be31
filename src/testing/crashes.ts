/** Writes that are cut off: the process ends before its n-th one, or before its reply. */
import type { Durable } from '../redis/durable.ts'

export class Crash extends Error {}

export interface CrashAt {
  readonly call: number
  readonly isBefore: boolean
}

export function createCrashes(durable: Durable) {
  return {
    /** After its crash it does nothing any more: a dead process writes nothing. */
    wrap(at: CrashAt | undefined): Durable {
      if (!at) return durable
      let calls = 0
      const pass = async <T>(work: () => Promise<T>): Promise<T> => {
        const call = calls
        calls += 1
        if (call > at.call || (call === at.call && at.isBefore)) throw new Crash()
        const result = await work()
        if (call === at.call) throw new Crash()
        return result
      }
      return {
        isOneServer: durable.isOneServer,
        run: (script, names, args) => pass(() => durable.run(script, names, args)),
        send: (...command) => pass(() => durable.send(...command)),
        read: (...command) => durable.read(...command),
        close: () => durable.close(),
      }
    },
  }
}
