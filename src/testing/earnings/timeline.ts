/**
 * A history's clock and the order of its commands: both belong to its plan, not to the machine. One
 * command runs at a time, the scheduler chooses which is next, and scripts take the time from here.
 */
import { createHash } from 'node:crypto'
import type fc from 'fast-check'
import type { RedisClient } from '../../redis/connect.ts'
import type { Durable } from '../../redis/durable.ts'
import type { Script } from '../../redis/script.ts'
import type { Ledger } from './world.ts'

export interface Timeline extends Ledger {
  /** The ledger's clock, ms. */
  now(): number
  pass(ms: number): void
  /** Others get in between, and time passes: a millisecond each. */
  roundTrips(count: number): Promise<void>
  /** Runs it to its end; what is asked of the ledger outside of it waits for ever. */
  play<T>(work: () => Promise<T>): Promise<T>
}

/** A moment in November 2026. */
export const START_MS = Date.UTC(2026, 10, 15, 12)

export function createTimeline(place: Ledger, scheduler: fc.Scheduler): Timeline {
  let now = START_MS
  const inTurn = <T>(label: string, work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      scheduler.scheduleSequence([{ label, builder: () => work().then(resolve, reject) }])
    })
  const timeline: Timeline = {
    now: () => now,
    pass(ms) { now += ms },
    async roundTrips(count) {
      for (let trip = 0; trip < count; trip += 1) {
        await inTurn('a round trip', async () => { now += 1 })
      }
    },
    play: (work) => scheduler.waitFor(work()),
    ledger: new Proxy(place.ledger, {
      get: (ledger, name) => (...args: unknown[]) => inTurn(String(name), () =>
        (Reflect.get(ledger, name) as (...given: unknown[]) => Promise<unknown>)
          .apply(ledger, args)),
    }) satisfies RedisClient,
    durable: {
      run: (script, names, args) => inTurn(script.name, () =>
        place.durable.run(dated(script, now), names, args)),
      send: (...command) => inTurn(command[0], () => place.durable.send(...command)),
      read: (...command) => inTurn(command[0], () => place.durable.read(...command)),
      close: () => {},
    },
  }
  return timeline
}

/** Writes before which time passes. */
export const slowed = (durable: Durable, { roundTrips }: Timeline, count: number): Durable => ({
  async run(script, names, args) {
    await roundTrips(count)
    return await durable.run(script, names, args)
  },
  async send(...command) {
    await roundTrips(count)
    return await durable.send(...command)
  },
  read: (...command) => durable.read(...command),
  close: () => {},
})

/** The script with that time for Redis's own, in two more arguments. */
function dated<K extends string, A extends string, R>(
  script: Script<K, A, R>, ms: number,
): Script<K, A, R> {
  const source = script.source
    .replaceAll("redis.call('TIME')", '{ARGV[#ARGV - 1], ARGV[#ARGV]}')
    .replaceAll("'XADD', entries, '*'", "'XADD', entries, now .. '-*'")
  if (/'TIME'|'\*'/.test(source)) throw new Error(`${script.name} takes the time in another way.`)
  return {
    ...script,
    source,
    sha: createHash('sha1').update(source).digest('hex'),
    operands: (names, args) =>
      [...script.operands(names, args), Math.floor(ms / 1000), (ms % 1000) * 1000],
  }
}
