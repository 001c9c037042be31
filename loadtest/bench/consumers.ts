/**
 * `--commands`: which commands an order costs on the ledger and who sends them, and the CPU time of
 * each process; read off MONITOR while orders come in, which slows what it watches.
 */
import type { Redis } from 'ioredis'
import type { WorkersSetting } from '../../src/config.ts'
import { scripts } from '../../src/redis/script.ts'
// Scripts are known by name once those that run them are loaded.
import '../../src/orders/moves.ts'
import '../../src/workers/consumer.ts'
import '../../src/workers/due-orders.ts'
import '../../src/workers/order-effects.ts'
import { GROUPS } from './cases.ts'
import { cpuSeconds } from './processes.ts'
import { BenchFailure } from './rounds.ts'
import { openBenchTestbed, type BenchTestbed } from './testbed.ts'

/** Who runs a script; of a plain command its key says it. */
const CONSUMERS: readonly (readonly [who: string, what: RegExp])[] = [
  ['the call', /^(order-place|claim-bind)$/],
  ['effects: claim', /^claim-/],
  ['effects: list and feed', /^agent-append$/],
  ['effects: commission', /^earnings-post$/],
  ['effects: cursor', /^(outbox-progress|hget progress)$/],
  ['outboxes: look for news', /^xrevrange outbox$/],
  ['outboxes: read', /^(xrange|xread) outbox$/],
  ['moves by time, sandbox driver', /^(zrangebyscore |time |order-move|due-settle)/],
  ['trim', /^(hmget progress|xlen outbox|xtrim outbox)$/],
  ['replicas', /^(wait|set fence)/],
]
const OTHERS = 'others'

interface Watched {
  /** By script or command. */
  readonly counts: ReadonlyMap<string, number>
  stop(): void
}

/** Commands inside a script stand behind it, and count as its. */
export class CommandCounter {
  readonly counts = new Map<string, number>()
  private readonly names = new Map(scripts.map(({ sha, name }) => [sha, name]))
  private script = ''

  add(words: readonly string[], isInScript: boolean): void {
    if (isInScript) return this.count(this.script)
    const [command = '', first = '', second = ''] = words
    const name = command.toLowerCase()
    if (name === 'evalsha' || name === 'eval') {
      this.script = this.names.get(first) ?? 'a script by its source'
      return this.count(this.script)
    }
    const key = name === 'xread' ? words[words.findIndex((word) => /^streams$/i.test(word)) + 1]
      : first
    this.count(`${name} ${kindOf(key ?? second)}`)
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}

/** `outbox` of `{p17}:outbox`: a key without what names one of many. */
const kindOf = (key: string): string =>
  key.replace(/^\{[^}]*\}:/, '').replace(/:?\{[^}]*\}/, '').replace(/:[^:]*\d[^:]*/g, '')

export const consumerOf = (what: string): string =>
  CONSUMERS.find(([, pattern]) => pattern.test(what))?.[0] ?? OTHERS

async function watch(operator: Redis): Promise<Watched> {
  const monitor = await operator.monitor()
  const counter = new CommandCounter()
  monitor.on('monitor', (_time: string, words: string[], source: string) =>
    counter.add(words, source === 'lua'))
  return { counts: counter.counts, stop: () => monitor.disconnect() }
}

const per = (count: number, orders: number): string => (count / orders).toFixed(2)

interface CommandsOptions {
  readonly seconds: number
  readonly connections: number
  readonly items: number
  readonly data: string
  readonly logLevel: string
  readonly pin: boolean
  readonly workers: WorkersSetting
}

export async function printCommands(options: CommandsOptions): Promise<void> {
  const testbed = await openBenchTestbed({
    ...options, dataDir: options.data, isPinned: options.pin,
  })
  try {
    process.stdout.write(`${await commandsTable(testbed, options.seconds)}\n`)
  } finally {
    await testbed.close()
  }
}

async function commandsTable(testbed: BenchTestbed, seconds: number): Promise<string> {
  const group = await GROUPS.orders(testbed)
  try {
    const contender = group.contenders.find(({ name }) => name === 'orders')
    if (!contender) throw new BenchFailure('There is no case of orders.')
    testbed.assignCores(group.subject)
    await contender.prepare?.(1, 0)
    await contender.run(1)
    const plain = await measured(testbed, contender, seconds, 1)
    const watched = await watch(testbed.operator as Redis)
    const { orders } = await measured(testbed, contender, seconds, 2)
    watched.stop()
    return [...cpuLines(plain), '', ...commandLines(watched.counts, orders)].join('\n')
  } finally {
    await group.close?.()
  }
}

interface Measured {
  readonly orders: number
  readonly rate: number
  readonly cpu: readonly (readonly [process: string, seconds: number])[]
}

async function measured(
  testbed: BenchTestbed, contender: { prepare?(seconds: number, round: number): Promise<void>
    run(seconds: number): Promise<{ rate: number }> }, seconds: number, round: number,
): Promise<Measured> {
  await contender.prepare?.(seconds, round)
  const pids = Object.entries(testbed.processes)
  const before = pids.map(([, pid]) => cpuSeconds(pid) ?? 0)
  const { rate } = await contender.run(seconds)
  return {
    rate, orders: rate * seconds,
    cpu: pids.map(([name, pid], index) => [name, (cpuSeconds(pid) ?? 0) - (before[index] ?? 0)]),
  }
}

const cpuLines = ({ cpu, orders, rate }: Measured): string[] => [
  `${Math.round(rate)} orders a second`, '',
  '| process | CPU, µs an order |', '|---|---|',
  ...cpu.map(([name, seconds]) => `| ${name} | ${Math.round(seconds * 1e6 / orders)} |`),
]

function commandLines(counts: ReadonlyMap<string, number>, orders: number): string[] {
  const consumers = new Map<string, { sum: number, parts: [string, number][] }>()
  for (const [what, count] of counts) {
    const who = consumerOf(what)
    const held = consumers.get(who) ?? { sum: 0, parts: [] }
    consumers.set(who, { sum: held.sum + count, parts: [...held.parts, [what, count]] })
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [
    '| who | commands an order | of them |', '|---|---|---|',
    ...[...consumers].toSorted(([, a], [, b]) => b.sum - a.sum).map(([who, { sum, parts }]) =>
      `| ${who} | ${per(sum, orders)} | ${parts.toSorted(([, a], [, b]) => b - a).slice(0, 6)
        .map(([what, count]) => `${what} ${per(count, orders)}`).join(', ')} |`),
    `| all on the ledger | ${per(total, orders)} | |`,
  ]
}
