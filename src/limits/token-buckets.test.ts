import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { createAnswers } from './headers.ts'
import { HOLD_MS, Lease, SLICE_MS } from './token-buckets.ts'
import type { Taken } from '../redis/counters.ts'

const RATE = 200
const BURST = 200
const answers = createAnswers({ name: 'default', limit: BURST, window_s: BURST / RATE })

/** The shared bucket as token-bucket.lua has it; every grant for a waiting call is at that time. */
class Bucket {
  private tokens = BURST
  private at = 0

  take(now: number, waiting: number, ahead: number): Taken & { exact: number } {
    this.tokens = Math.min(BURST, this.tokens + (now - this.at) * RATE / 1000)
    this.at = now
    const exact = Math.min(waiting, Math.floor(this.tokens + 1e-9))
    this.tokens -= exact
    let slice = 0
    if (ahead > 0 && exact === waiting) {
      this.tokens = Math.min(this.tokens, BURST - RATE * HOLD_MS / 1000)
      slice = Math.max(0, Math.min(ahead, Math.floor(this.tokens + 1e-9)))
      this.tokens -= slice
    }
    const left = Math.floor(this.tokens + 1e-9)
    const waitMs = Math.ceil((left + 1 - this.tokens) * 1000 / RATE)
    return { granted: exact + slice, left, waitMs, exact }
  }
}

/** A question on its way: the bucket may have decided what the node does not know yet. */
interface Flight {
  readonly waiting: number
  readonly ahead: number
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: Error) => void
  taken?: Taken & { exact: number }
}

const turn = (): Promise<unknown> => new Promise((resolve) => { setImmediate(resolve) })

/** Nodes over one bucket, in a time of their own; keeps when each call was granted. */
class World {
  now = 0
  readonly grantedAt: number[] = []
  readonly asked: Flight[] = []
  refusals = 0
  private answered = 0
  private readonly bucket = new Bucket()
  private readonly flights: Flight[][]
  private readonly nodes: Lease[]

  constructor(nodes: number) {
    this.flights = Array.from({ length: nodes }, () => [])
    this.nodes = Array.from({ length: nodes }, (_, index) => this.start(index))
  }

  private start(node: number): Lease {
    return new Lease({
      rate_per_s: RATE, burst: BURST, answers, now: () => this.now,
      fallback: () => Promise.resolve(answers.refused(1)),
      take: (waiting, ahead) => new Promise<Taken>((resolve, reject) => {
        const flight = { waiting, ahead, resolve, reject }
        this.asked.push(flight)
        this.flights[node]?.push(flight)
      }),
    })
  }

  /** Returns how many were admitted at once. */
  call(node: number, count: number): number {
    let atOnce = 0
    for (let n = 0; n < count; n += 1) {
      const admission = this.nodes[node]?.admit()
      if (admission instanceof Promise) {
        void admission.then(({ refusal }) => {
          if (refusal) this.refusals += 1
          else this.answered += 1
        })
      } else if (admission?.refusal) this.refusals += 1
      else {
        this.grantedAt.push(this.now)
        atOnce += 1
      }
    }
    return atOnce
  }

  decide(node: number): Flight | undefined {
    const flight = this.flights[node]?.[0]
    if (flight && !flight.taken) {
      flight.taken = this.bucket.take(this.now, flight.waiting, flight.ahead)
      for (let n = 0; n < flight.taken.exact; n += 1) this.grantedAt.push(this.now)
    }
    return flight
  }

  async deliver(node: number): Promise<void> {
    const flight = this.decide(node)
    if (!flight?.taken) return
    this.flights[node]?.shift()
    const before = this.answered
    flight.resolve(flight.taken)
    await turn()
    const late = this.answered - before - flight.taken.exact
    for (let n = 0; n < late; n += 1) this.grantedAt.push(this.now)
  }

  async lose(node: number): Promise<void> {
    this.decide(node)?.reject(new Error('no reply'))
    this.flights[node]?.shift()
    await turn()
  }

  crash(node: number): void {
    this.flights[node] = []
    this.nodes[node] = this.start(node)
  }

  /** Every node is called once in `ms`, which teaches it to keep tokens. */
  async use(rounds: number, ms: number): Promise<void> {
    for (let n = 0; n < rounds; n += 1) {
      for (const node of this.nodes.keys()) {
        this.call(node, 1)
        await this.deliver(node)
      }
      this.now += ms
    }
  }

  /** By how much the worst stretch of time is over what the bucket allows. */
  excess(): number {
    const times = this.grantedAt.toSorted((a, b) => a - b)
    let worst = -Infinity
    for (const [first, from] of times.entries()) {
      for (let last = first; last < times.length; last += 1) {
        const allowed = BURST + RATE * ((times[last] as number) - from) / 1000
        worst = Math.max(worst, last - first + 1 - allowed)
      }
    }
    return worst
  }
}

const node = fc.nat(2)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(
    fc.integer({ min: 0, max: 20 }), fc.integer({ min: 80, max: 110 }), fc.constant(1000)) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), node,
    count: fc.constantFrom(1, 2, 5, 12, 80, 230) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('use' as const),
    rounds: fc.integer({ min: 5, max: 30 }), ms: fc.integer({ min: 10, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('decide' as const, 'lose' as const,
    'crash' as const), node }) },
)

describe('slices of a bucket', () => {
  test.prop([fc.array(step, { minLength: 10, maxLength: 60 })], { numRuns: 300 })(
    'over any stretch of time no more is granted than burst + rate × time',
    async (steps) => {
      const world = new World(3)
      for (const one of steps) {
        if (one.do === 'wait') world.now += one.ms
        else if (one.do === 'call') world.call(one.node, one.count)
        else if (one.do === 'use') await world.use(one.rounds, one.ms)
        else await world[one.do](one.node)
      }
      expect(world.excess()).toBeLessThanOrEqual(1e-6)
    })

  test('nodes that hold tokens while the bucket fills grant no more than it has', async () => {
    const world = new World(3)
    await world.use(60, 1000 / 60)
    world.now += 50
    const from = world.grantedAt.length
    const held = [0, 1, 2].map((index) => world.call(index, 20))
    for (let n = 0; n < 5; n += 1) {
      for (const index of [0, 1, 2]) {
        await world.deliver(index)
        world.call(index, 80)
      }
    }
    expect(Math.min(...held)).toBeGreaterThan(0)
    expect(world.grantedAt.length - from).toBeLessThanOrEqual(BURST)
    expect(world.grantedAt.length - from).toBeGreaterThan(BURST - RATE * HOLD_MS / 1000)
    expect(world.excess()).toBeLessThanOrEqual(1e-6)
  })

  test('a steady caller waits for its first calls only', async () => {
    const world = new World(1)
    let atOnce = 0
    for (let n = 0; n < 400; n += 1) {
      atOnce += world.call(0, 1)
      await world.deliver(0)
      world.now += 1000 / RATE
    }
    expect(world.refusals).toBe(0)
    expect(world.grantedAt.length).toBe(400)
    expect(atOnce).toBeGreaterThanOrEqual(390)
    expect(world.asked.length).toBeLessThan(400 / 3)
  })

  test('a caller of few calls takes them one by one, and its node keeps none', async () => {
    const world = new World(1)
    for (let n = 0; n < 20; n += 1) {
      world.call(0, 1)
      await world.deliver(0)
      world.now += 1000
    }
    expect(world.asked.map(({ waiting, ahead }) => [waiting, ahead]))
      .toEqual(Array.from({ length: 20 }, () => [1, 0]))
  })

  test('a slice is never more than its share of the rate', async () => {
    const world = new World(1)
    for (let n = 0; n < 50; n += 1) {
      world.call(0, 100)
      await world.deliver(0)
      world.now += 1
    }
    expect(Math.max(...world.asked.map(({ ahead }) => ahead))).toBe(RATE * SLICE_MS / 1000)
  })

  test('calls that come together share a round trip, those meanwhile the next', async () => {
    const world = new World(1)
    world.call(0, 1)
    world.call(0, 150)
    await world.deliver(0)
    await world.deliver(0)
    expect(world.asked.map(({ waiting }) => waiting)).toEqual([1, 150])
    expect(world.grantedAt.length).toBe(151)
  })

  test('no more wait than a full bucket could serve', () => {
    const world = new World(1)
    world.call(0, 3 * BURST)
    expect(world.refusals).toBe(2 * BURST - 1)
  })

  test('a refused bucket is not asked again before it can have a token', async () => {
    const world = new World(1)
    world.call(0, 1)
    await world.deliver(0)
    world.call(0, BURST)
    for (let n = 0; n < 3; n += 1) await world.deliver(0)
    const { length } = world.asked
    const { refusals } = world
    world.call(0, 1000)
    expect(world.asked.length).toBe(length)
    expect(world.refusals).toBe(refusals + 1000)
  })

  test('where the bucket cannot be asked, the fallback decides, each time', async () => {
    const world = new World(1)
    for (const count of [1, 2]) {
      world.call(0, 1)
      await world.lose(0)
      expect(world.refusals).toBe(count)
    }
  })
})
