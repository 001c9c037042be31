/** What leaves the service, put together for a node. */
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import type { Mode } from '../contract/money.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Secrets } from '../secrets/derive.ts'
import { type AttemptFilter, type AttemptView, listAttempts, resendEvent } from './attempts.ts'
import { ATTEMPT_MS_MAX, type DeliveryServices, replaySince } from './deliveries.ts'
import { type EndpointOwner, Endpoints, waitingFull } from './endpoints.ts'
import { type EventPage, type EventQuery, readEventPage } from './list-events.ts'
import { allowsLoopback, Outbound } from '../outbound.ts'
import { PlatformEndpoints } from './platforms.ts'
import type { EventAudience } from './read-events.ts'
import { createRing, type Ring } from './ring.ts'
import { Subscriptions } from './subscriptions.ts'

export interface EventsOptions {
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly secrets: Secrets
  readonly mode: Mode
  readonly config: Pick<Config, 'sandbox' | 'host'>
}

/** Attempts that are shown of one order. */
const ABOUT_MAX = 50
/** By which clocks of Redis servers may differ. */
const SKEW_MS = 60_000

/** The feed and the webhook endpoints. */
export class Events {
  readonly mode: Mode
  readonly endpoints: Endpoints
  /** Over MCP. */
  readonly subscriptions: Subscriptions
  /** Over UCP. */
  readonly platforms: PlatformEndpoints
  readonly outbound: Outbound
  readonly ring: Ring
  /** Readers that wait, of each agent and of a node. */
  readonly followers: ConcurrencyLimit = createConcurrencyLimit({
    policy: 'event-feed', hint: 'Close other connections to the feed, or come back in a moment.',
    eachMax: 5, totalMax: 500,
  })
  private readonly stores: DeliveryServices

  constructor({ ledger, counters, durable, secrets, mode, config }: EventsOptions) {
    const isLocal = allowsLoopback(config)
    this.mode = mode
    this.stores = { ledger, durable, secrets, mode }
    this.ring = createRing(counters)
    // Many endpoints are at one host: those that hang there must leave the others a connection.
    this.outbound = new Outbound({
      allowsLoopback: isLocal, deadlineMs: ATTEMPT_MS_MAX, connections: null,
    })
    const options = {
      ledger, durable, secrets, mode, allowsLoopback: isLocal, ring: this.ring,
    }
    this.endpoints = new Endpoints(options)
    this.platforms = new PlatformEndpoints(options)
    this.subscriptions = new Subscriptions({ ...options, outbound: this.outbound })
  }

  /** Whose events an owner reads. */
  audienceOf({ account, agent }: EndpointOwner): EventAudience {
    return { account, agent, mode: this.mode }
  }

  async list(owner: EndpointOwner, query: EventQuery): Promise<EventPage> {
    const read = () => readEventPage(this.stores, this.audienceOf(owner), query)
    if (query.waitMs === 0) return await read()
    const release = this.followers.take(owner.agent ?? owner.account)
    try {
      return await read()
    } finally {
      release()
    }
  }

  /** Has the endpoints that follow an agent or an account looked at soon. Never rejects. */
  readonly ringFollowers = async (owner: string): Promise<void> => {
    const ids = await this.stores.ledger.smembers(keys.followers(owner)).catch(() => [])
    if (ids.length > 0) await this.ring(ids)
  }

  async attempts(owner: EndpointOwner, id: string, filter: AttemptFilter) {
    await this.endpoints.own(owner, id)
    return await listAttempts(this.stores.ledger, id, filter)
  }

  /** The newest attempts of an account's endpoints about an order that was placed at `since`. */
  async attemptsAbout(
    account: string, subject: string, since: number,
  ): Promise<(AttemptView & { webhook_id: string, url: string })[]> {
    const found = []
    // One after the other: a log is up to 2 MB.
    for (const { webhook_id, url } of await this.endpoints.list({ account })) {
      const { attempts } = await listAttempts(this.stores.ledger, webhook_id,
        { subject, since: Math.max(since - SKEW_MS, 0), limit: ABOUT_MAX })
      found.push(...attempts.map((one) => ({ ...one, webhook_id, url })))
    }
    return found.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, ABOUT_MAX)
  }

  /** Queues one event of the log once more, or all since a time (ms). Returns how many. */
  async resend(
    owner: EndpointOwner, id: string, what: { eventId: string } | { since: number },
  ): Promise<number> {
    const endpoint = await this.endpoints.own(owner, id)
    if (endpoint.state !== 'active') {
      throw new Refusal('invalid_request', {
        fields: [{ path: 'webhook_id', problem: 'is not active: prove or enable it first' }],
      })
    }
    const queued = 'since' in what ? await replaySince(this.stores, endpoint, what.since)
      : await resendEvent(this.stores, id, what.eventId)
    if (queued === false) throw new Refusal('not_found')
    if (queued === undefined) throw waitingFull()
    await this.ring([id])
    return Number(queued)
  }

  async close(): Promise<void> {
    await this.outbound.close()
  }
}
