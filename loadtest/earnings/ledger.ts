/**
 * A ledger for random histories, one after the other: it syncs nothing and forgets each. A
 * history's clock and the order of its commands belong to its plan, not to the machine: one
 * command runs at a time, the scheduler chooses which is next, and scripts take the time from
 * here.
 */
import { createHash } from 'node:crypto'
import type fc from 'fast-check'
import type { Logger } from '../../src/log.ts'
import { openRedis, type RedisClient, untilReady } from '../../src/redis/connect.ts'
import type { Durable } from '../../src/redis/durable.ts'
import { evaluate, type Script } from '../../src/redis/script.ts'
import { startLedger } from '../../src/testing/ledger.ts'

/** Hashes keep the order of their fields: that of a table is another one in each process. */
const SETTINGS = `appendonly no
appendfsync no
hash-max-listpack-entries 100000
hash-max-listpack-value 100000`

export async function openLedger(log: Logger): Promise<Ledger & { close(): Promise<void> }> {
  const own = await startLedger({ settings: SETTINGS })
  // A patient one: on a busy machine a late answer is no fault of the books.
  const ledger = openRedis(own.url, log, 'bulk')
  await untilReady(ledger, 'ledger')
  const send: Durable['send'] = (name, ...operands) => ledger.call(name, ...operands.map(String))
  return {
    ledger,
    durable: {
      isOneServer: true,
      send,
      read: send,
      async run(script, names, args) {
        return script.read(await evaluate(ledger, script, script.operands(names, args)))
      },
      close: () => {},
    },
    async close() {
      ledger.disconnect()
      await own.stop()
    },
  }
}

/** Everything that it holds, as text. Sealed payees are left out: no two envelopes are equal. */
export async function dump(ledger: RedisClient): Promise<string> {
  const lines: string[] = []
  for (const key of (await ledger.keys('*')).toSorted()) {
    lines.push(JSON.stringify([key, await valueOf(ledger, key)]))
  }
  return lines.join('\n').replaceAll(/p2\.[\w.-]+/g, 'p2')
}

async function valueOf(ledger: RedisClient, key: string): Promise<unknown> {
  const type = await ledger.type(key)
  switch (type) {
    case 'string': return await ledger.get(key)
    case 'hash': return await ledger.hgetall(key)
    case 'set': return (await ledger.smembers(key)).toSorted()
    case 'zset': return await ledger.zrange(key, '0', '-1', 'WITHSCORES')
    case 'stream': return await ledger.xrange(key, '-', '+')
    default: throw new Error(`${key} is a ${type}: say here how it is read.`)
  }
}

export interface Ledger {
  readonly ledger: RedisClient
  readonly durable: Durable
}

export interface Timeline extends Ledger {
  /** The ledger's clock, ms. */
  now(): number
  pass(ms: number): void
  /** Others get in between, and time passes: a millisecond each. */
  roundTrips(count: number): Promise<void>
  /** Runs it to its end; a command outside of it waits for ever. */
  play<T>(work: () => Promise<T>): Promise<T>
}

/** A moment in November 2026. */
export const START_MS = Date.UTC(2026, 10, 15, 12)

export function createTimeline(store: Ledger, scheduler: fc.Scheduler): Timeline {
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
    ledger: new Proxy(store.ledger, {
      get: (ledger, name) => (...args: unknown[]) => inTurn(String(name), () =>
        (Reflect.get(ledger, name) as (...given: unknown[]) => Promise<unknown>)
          .apply(ledger, args)),
    }) satisfies RedisClient,
    durable: {
      isOneServer: store.durable.isOneServer,
      run: (script, names, args) => inTurn(script.name, () =>
        store.durable.run(dated(script, now), names, args)),
      send: (...command) => inTurn(command[0], () => store.durable.send(...command)),
      read: (...command) => inTurn(command[0], () => store.durable.read(...command)),
      close: () => {},
    },
  }
  return timeline
}

/** Writes before which time passes. */
export const slowed = (durable: Durable, { roundTrips }: Timeline, count: number): Durable => ({
  isOneServer: durable.isOneServer,
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
