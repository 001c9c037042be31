/**
 * Delivers to webhook endpoints. One node at a time works for a shard of them, by its lease;
 * attempts go on beside the ticks, so that a receiver that hangs holds nobody up.
 */
import { Refusal } from '../contract/errors.ts'
import { monotonicMs } from '../contract/time.ts'
import {
  attemptDelivery, CLAIM_MS, type Claim, claimDeliveries, type DeliveryServices, followStreams,
  isKept, sayDisabled, takeNews,
} from '../events/deliveries.ts'
import {
  type EndpointRecord, readEndpoint, removeEndpoint, WEBHOOK_SHARDS,
} from '../events/endpoints.ts'
import { isOver } from '../events/occurrences.ts'
import type { Outbound } from '../outbound.ts'
import type { EventStream } from '../events/read-events.ts'
import type { Ring } from '../events/ring.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import { isUnavailable } from '../redis/command-errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as counterKeys, ledger as keys } from '../redis/keys.ts'
import { type LeaseOptions, type RunningWorker, startWorker, type Worker } from './lease.ts'

export interface WebhookServices extends DeliveryServices {
  readonly counters: RedisClient
  readonly outbound: Outbound
  readonly ring: Ring
  readonly log: Logger
}

/** Attempts in flight at a time: of an endpoint, of all that fail, of a node. */
const EACH_MAX = 8
const FAILING_MAX = 256
const TOTAL_MAX = 1024
const EVERY_MS = 500
/** Endpoints looked after in one tick, so that its lease is renewed in time; and at once. */
const TICK_MAX = 200
const AT_ONCE = 16
/** Every endpoint is looked at this often, whether a bell rang or not. */
const SWEEP_MS = 30_000
const STOP_MS = 3000
/** So long one of an endpoint's attempts follows the other; then a tick looks after it again. */
const RUN_MS = 2000

/** Of all shards of a node: what is in flight. */
class Flight {
  total = 0
  failing = 0
  isEnding = false
  private readonly running = new Set<Promise<void>>()
  private readonly abort = new AbortController()

  get signal(): AbortSignal {
    return this.abort.signal
  }

  room(isFailing: boolean): number {
    const left = TOTAL_MAX - this.total
    return isFailing ? Math.min(left, FAILING_MAX - this.failing) : left
  }

  start(isFailing: boolean, work: () => Promise<void>): void {
    this.total += 1
    this.failing += isFailing ? 1 : 0
    const run = work().finally(() => {
      this.total -= 1
      this.failing -= isFailing ? 1 : 0
      this.running.delete(run)
    })
    this.running.add(run)
  }

  /** Waits a moment for what is in flight; the rest is tried again when its claim has ended. */
  async end(): Promise<void> {
    this.isEnding = true
    const timer = setTimeout(() => this.abort.abort(), STOP_MS)
    await Promise.all(this.running)
    clearTimeout(timer)
  }
}

interface Watched {
  /** Of its streams something may be new. */
  hasNews: boolean
  /** Since when this node owes it a look, on the monotonic clock. */
  owedSince?: number
  /** When to claim again, on the monotonic clock. */
  dueAt: number
  inFlight: number
  endpoint?: EndpointRecord
  streams?: readonly EventStream[]
}

/** An attempt that is to be made. */
interface Try {
  readonly endpoint: EndpointRecord
  readonly claim: Claim
  /** Of the endpoint, in a row. */
  readonly fails: number
}

class WebhookWorker implements Worker {
  readonly name: string
  readonly everyMs = EVERY_MS
  private readonly services: WebhookServices
  private readonly shard: number
  private readonly flight: Flight
  private readonly watched = new Map<string, Watched>()
  private sweptAt = -Infinity
  wake: () => void = () => {}

  constructor(services: WebhookServices, shard: number, flight: Flight) {
    this.name = `webhooks-${shard}`
    this.services = services
    this.shard = shard
    this.flight = flight
  }

  async begin(): Promise<void> {
    this.sweptAt = -Infinity
  }

  async tick(): Promise<boolean> {
    await this.hear()
    await this.sweep()
    const now = monotonicMs()
    const ready = [...this.watched].filter(([, one]) => one.hasNews
      || (one.dueAt <= now && one.inFlight < EACH_MAX))
    let oldest = now
    for (const [, one] of ready) oldest = Math.min(oldest, one.owedSince ??= now)
    measures.webhookLag.set(this.shard, { ms: now - oldest, at: now })
    const batch = ready.slice(0, TICK_MAX)
    const waiting = batch.values()
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const [id, one] of waiting) await this.lookAfter(id, one)
    }))
    return ready.length > batch.length
  }

  /** Endpoints that somebody rang for. */
  private async hear(): Promise<void> {
    const { counters } = this.services
    const ids = await counters.spop(counterKeys.webhookNews(this.shard), TICK_MAX).catch(() => [])
    for (const id of ids) this.watch(id).hasNews = true
  }

  private async sweep(): Promise<void> {
    if (monotonicMs() - this.sweptAt < SWEEP_MS) return
    this.sweptAt = monotonicMs()
    const ids = new Set(await this.services.ledger.smembers(keys.webhookShard(this.shard)))
    for (const id of ids) {
      const one = this.watch(id)
      one.hasNews = true
      delete one.streams
    }
    for (const [id, { inFlight }] of this.watched) {
      if (!ids.has(id) && inFlight === 0) this.watched.delete(id)
    }
  }

  private watch(id: string): Watched {
    let one = this.watched.get(id)
    if (!one) this.watched.set(id, one = { hasNews: true, dueAt: 0, inFlight: 0 })
    return one
  }

  private async lookAfter(id: string, one: Watched): Promise<void> {
    try {
      if (one.hasNews) await this.take(id, one)
      if (one.endpoint) await this.deliver(one.endpoint, one)
      delete one.owedSince
    } catch (error) {
      one.hasNews = true
      if (error instanceof Refusal ? error.error !== 'unavailable' : !isUnavailable(error)) {
        // One endpoint's defect holds up no other; the sweep comes back to it.
        this.services.log.error({ webhook: id, error: (error as Error).message },
          'webhook endpoint not looked after')
        one.hasNews = false
        one.dueAt = monotonicMs() + SWEEP_MS
        return
      }
      throw error
    }
  }

  private async take(id: string, one: Watched): Promise<void> {
    const { services } = this
    one.hasNews = false
    const endpoint = await readEndpoint(services.ledger, id)
    if (!endpoint) {
      this.watched.delete(id)
      delete one.endpoint
      return
    }
    one.endpoint = endpoint
    if (endpoint.unsaid !== undefined) {
      await services.ring(await sayDisabled(services, endpoint))
    }
    if (!one.streams) {
      if (!await isKept(services.ledger, endpoint)) {
        await removeEndpoint(services, endpoint)
        this.watched.delete(id)
        delete one.endpoint
        return
      }
      one.streams = await followStreams(services, endpoint)
    }
    if (endpoint.state === 'active') one.hasNews = await takeNews(services, endpoint, one.streams)
    one.dueAt = 0
  }

  private async deliver(endpoint: EndpointRecord, one: Watched): Promise<void> {
    const { flight, services } = this
    const isFailing = endpoint.failingSince !== undefined
    const room = Math.min(EACH_MAX - one.inFlight, flight.room(isFailing))
    if (room <= 0) {
      // What is in flight wakes it; of a full node the next tick.
      one.dueAt = one.inFlight >= EACH_MAX ? Infinity : monotonicMs() + EVERY_MS
      return
    }
    const found = await claimDeliveries(services, endpoint.id, isFailing ? 1 : room)
    one.dueAt = monotonicMs() + (found.dueMs ?? SWEEP_MS)
    if (found.claims.length === 0) return
    // Its url, its secrets or its end may have changed since it was looked at.
    const present = await readEndpoint(services.ledger, endpoint.id)
    if (!present || isOver(present)) return
    for (const claim of found.claims) {
      this.start({ endpoint: present, claim, fails: found.fails }, one)
    }
  }

  /** Undefined where nothing is due. */
  private async next(id: string): Promise<Try | undefined> {
    const { services, flight } = this
    if (flight.isEnding) return undefined
    const { claims: [claim], fails } = await claimDeliveries(services, id, 1)
    const endpoint = claim && await readEndpoint(services.ledger, id)
    return endpoint && !isOver(endpoint) ? { endpoint, claim, fails } : undefined
  }

  /** Goes on beside the ticks, with what is next for the endpoint, too, while it takes it. */
  private start(first: Try, one: Watched): void {
    const { services, flight } = this
    const { endpoint } = first
    one.inFlight += 1
    flight.start(endpoint.failingSince !== undefined, async () => {
      const end = monotonicMs() + RUN_MS
      try {
        for (let next: Try | undefined = first; next;) {
          const state = await attemptDelivery(services, services.outbound, next.endpoint,
            next.claim, next.fails, flight.signal)
          const isSame: boolean = state === next.endpoint.state && isWell(next)
          if (!isSame) one.hasNews = true
          next = isSame && monotonicMs() < end ? await this.next(endpoint.id) : undefined
        }
        one.dueAt = 0
      } catch (error) {
        // Its claim ends: it is tried again.
        services.log.warn({ webhook: endpoint.id, error: (error as Error).message },
          'webhook attempt not noted')
        one.dueAt = monotonicMs() + CLAIM_MS
      } finally {
        one.inFlight -= 1
        this.wake()
      }
    })
  }
}

const isWell = ({ endpoint: { state, failingSince }, fails }: Try): boolean =>
  state === 'active' && fails === 0 && failingSince === undefined

export function startWebhookWorkers(
  services: WebhookServices & LeaseOptions,
): { wake(shard: number): void, stop(): Promise<void> } {
  const flight = new Flight()
  const running = Array.from({ length: WEBHOOK_SHARDS }, (_, shard): RunningWorker => {
    const worker = new WebhookWorker(services, shard, flight)
    const started = startWorker(worker, services)
    worker.wake = () => started.wake()
    return started
  })
  return {
    wake: (shard) => running[shard]?.wake(),
    async stop() {
      await Promise.all(running.map((worker) => worker.stop()))
      await flight.end()
    },
  }
}
