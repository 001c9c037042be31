/** One run: a testbed, agents, faults while they act, and afterwards the comparison. */
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs } from '../../src/contract/time.ts'
import { compareBoards, readAgain, untilQuiet, untilWhole, verify } from './afterwards.ts'
import { runAgent, runOneTimeBuyers } from './agents.ts'
import { createAttempts, createWire, pauseFor } from './attempts.ts'
import { seededRandom } from './random.ts'
import { compare } from './compare.ts'
import { compareDeliveries, compareMemory, untilDelivered } from './deliveries.ts'
import type { Fault } from './fault.ts'
import { createModel, type Model, type Violation } from './model.ts'
import { actionsOf, deliveriesOf, endsOf } from './report.ts'
import { Rules } from './rules.ts'
import { planFaults } from './schedule.ts'
import { startTestbed, type LedgerKind, type Need, type Testbed } from './testbed.ts'
import type { Tools } from './tools.ts'

interface RunPlan {
  readonly seed: number
  readonly kind: LedgerKind
  readonly seconds: number
  /** Goes on beyond its seconds until each fault was inflicted once, however slow the machine. */
  readonly inflictsEach?: boolean
  readonly nodes: number
  /** Where its data and logs are kept while it runs, and after it if something is wrong. */
  readonly folder: string
  readonly faults: readonly Fault[]
  readonly tools: Tools
  /** Keeps the folder of a run that found nothing, too. */
  readonly keep?: boolean
  /** Ends it before its time; what was seen until then is compared. */
  readonly isInterrupted?: () => boolean
}

interface Applied {
  readonly name: string
  /** Orders acknowledged from its beginning until the next one. */
  readonly acknowledged: number
}

export interface RunResult {
  readonly seed: number
  readonly kind: LedgerKind
  readonly applied: readonly Applied[]
  readonly attempts: number
  readonly acknowledged: number
  readonly unknown: number
  readonly late: number
  readonly orders: number
  readonly stepsBack: number
  /** Acknowledged actions, by kind. */
  readonly actions: Readonly<Record<string, number>>
  /** How orders ended, by their timeline. */
  readonly ends: Readonly<Record<string, number>>
  /** What the service's own check looked at. */
  readonly verified: Readonly<Record<string, number>>
  readonly violations: readonly Violation[]
  /** What came to receivers, and how often they refused it, failed or got it again. */
  readonly deliveries: Readonly<Record<string, number>>
  /** Of the node that needed the most memory. */
  readonly peakMb: number
  readonly folder: string
}

const AGENTS_PER_KEY = 2
const FIRST_FAULT_MS = 1500

export async function runOnce(plan: RunPlan): Promise<RunResult> {
  const { seed, kind, folder } = plan
  const needs = new Set(plan.faults.flatMap((fault): Need[] => (fault.needs ? [fault.needs] : [])))
  const testbed = await startTestbed({ ...plan, seed: `seed-${seed}`, needs })
  const lines = createWriteStream(join(folder, 'attempts.ndjson'), { flags: 'a' })
  const log = (line: object): void => { lines.write(`${JSON.stringify(line)}\n`) }
  const wire = createWire()
  const model = createModel()
  const attempts = createAttempts({
    wire, log, ports: testbed.nodes.map(({ port }) => port),
  })
  const rules = new Rules(model, kind === 'single')
  try {
    const end = monotonicMs() + plan.seconds * 1000
    const left = new Set(plan.inflictsEach ? plan.faults.map(({ name }) => name) : [])
    const isOver = (): boolean => plan.isInterrupted?.() === true
      || monotonicMs() > end && left.size === 0
    const agents = testbed.buyers.flatMap((buyer, number) =>
      Array.from({ length: AGENTS_PER_KEY }, (_, index) => runAgent({
        ...testbed, random: seededRandom(seed, 'agent', number, index), buyer, attempts, model,
        rules, isOver, insists: true, ports: testbed.nodes.map(({ port }) => port),
      })))
    agents.push(runOneTimeBuyers({
      ...testbed, randomOf: (number) => seededRandom(seed, 'one-time', number), attempts, model,
      rules, isOver, ports: testbed.nodes.map(({ port }) => port),
    }))
    const applied = await inflictAll(plan, testbed, model, { isOver, left, log })
    await Promise.all(agents)
    await Promise.all(attempts.open)
    await untilWhole(testbed, model)
    await untilQuiet(testbed)
    await readAgain({ testbed, model, rules, attempts, random: seededRandom(seed, 'afterwards') })
    const orders = await compare(testbed, model)
    await untilDelivered(testbed)
    compareDeliveries(testbed.receivers, orders, model)
    const peakMb = compareMemory(testbed, model)
    await compareBoards(testbed, model)
    const verified = await verify(testbed, model)
    const { sent, unknown, late } = attempts.count
    return {
      seed, kind, applied, folder, attempts: sent, unknown, late, orders: orders.length,
      acknowledged: model.acknowledged().length, stepsBack: model.stepsBack,
      actions: actionsOf(model), ends: endsOf(orders), verified,
      violations: model.violations, peakMb, deliveries: deliveriesOf(testbed.receivers),
    }
  } finally {
    wire.close()
    await testbed.stop()
    await new Promise<void>((done) => { lines.end(done) })
    const isKept = plan.keep === true || model.violations.length > 0
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

/** One after the other: each is healed before the next, so that none hides another's trace. */
async function inflictAll(
  { seed, faults }: RunPlan, testbed: Testbed, model: Model,
  { isOver, left, log }: {
    isOver: () => boolean, left: Set<string>, log: (line: object) => void,
  },
): Promise<Applied[]> {
  const random = seededRandom(seed, 'faults')
  const applied: { name: string, before: number }[] = []
  const count = (): number => model.acknowledged().length
  await pauseFor(FIRST_FAULT_MS)
  for (const { fault, lastsMs, restMs, also } of planFaults(random, faults)) {
    if (isOver()) break
    applied.push({ name: fault.name, before: count() })
    const note = (what: string): void => log({ at: Math.round(monotonicMs()), fault: what })
    try {
      note(`${fault.name} begins`)
      const heal = await fault.inflict(testbed, random)
      await pauseFor(lastsMs / 2)
      const healNode = await also?.inflict(testbed, random)
      if (also) {
        note(`${also.name} too`)
        applied.push({ name: also.name, before: count() })
      }
      await pauseFor(lastsMs / 2)
      note(`${fault.name} is healed`)
      // At once: a shelf is whole only when each node has filled it again.
      await Promise.all([heal(), healNode?.()])
      note(`${fault.name} is over`)
    } catch (error) {
      model.violated('what was broken can be mended', fault.name, (error as Error).message)
    }
    left.delete(fault.name)
    await pauseFor(restMs)
  }
  const last = count()
  return applied.map(({ name, before }, index) =>
    ({ name, acknowledged: (applied[index + 1]?.before ?? last) - before }))
}
