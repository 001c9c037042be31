/**
 * Endpoints of agent platforms: a platform names its address with an order, and from then on it is
 * sent that order as it is, after each thing that happens to it. Who calls made of it what it is:
 * here it is a subject and a message that somebody else makes.
 */
import { Refusal } from '../contract/errors.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { ledger as keys } from '../redis/keys.ts'
import { type OutboundAnswer, type Outbound, urlProblem } from '../outbound.ts'
import type { DeliveryServices } from './deliveries.ts'
import { eventOf } from './describe.ts'
import {
  type EndpointRecord, type EndpointsOptions, readEndpoint, removeEndpoint, saveEndpoint,
  sealSecrets, shardOf, type WaitingDelivery, webhookJoin,
} from './endpoints.ts'
import { latestPositions } from './list-events.ts'
import { formatPositions, type StreamEntry } from './read-events.ts'

/** What an event of an order becomes for a platform. */
export interface PlatformMessages {
  /** What an endpoint is told of by an event of this order; undefined: of nothing. */
  subjectOf(endpoint: EndpointRecord, orderNo: string): Promise<string | undefined>
  /** The message as it is now; undefined where there is nothing to tell any more. */
  compose(endpoint: EndpointRecord, subject: string, event: PlatformEvent): Promise<
    { readonly headers: Readonly<Record<string, string>>, readonly body: string } | undefined>
}

export interface PlatformEvent {
  readonly id: string
  /** When it happened, ISO 8601. */
  readonly timestamp: string
}

export const PLATFORMS_MAX = 50
/** From the last order with it: as long as a return of that can take. */
const FOLLOWED_MS = 400 * 86_400_000

interface PlatformOwner { readonly account: string, readonly agent: string }

export class PlatformEndpoints {
  private readonly options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.options = options
  }

  /** The endpoint of this address, which follows the agent's orders from now on. */
  async follow(owner: PlatformOwner, url: string): Promise<string> {
    const { ledger, durable, secrets } = this.options
    const problem = urlProblem(url, this.options)
    if (problem !== undefined) {
      throw new Refusal('profile_malformed',
        { hint: `The webhook_url of your profile ${problem}.` })
    }
    const id = `ucp_${secrets.id('platform', owner.account, owner.agent, url)}`
    const existing = await readEndpoint(ledger, id)
    const endsAt = nowMs() + FOLLOWED_MS
    if (existing?.state === 'active' && existing.endsAt !== undefined) {
      const isLong = existing.endsAt > nowMs() + FOLLOWED_MS / 2
      if (!isLong) await saveEndpoint(durable, id, { ends_at: String(endsAt) })
      return id
    }
    if (existing) await removeEndpoint({ ledger, durable }, existing)
    await this.create(owner, url, { id, endsAt })
    return id
  }

  private async create(
    owner: PlatformOwner, url: string, { id, endsAt }: { id: string, endsAt: number },
  ): Promise<void> {
    const { ledger, durable, secrets, mode, ring } = this.options
    const isJoined = await durable.run(webhookJoin, { webhooks: keys.platforms(owner.account) },
      { id, agent: owner.agent, count_max: PLATFORMS_MAX })
    if (!isJoined) {
      throw new Refusal('order_limit', {
        hint: `At most ${PLATFORMS_MAX} addresses follow the orders of an account: send a profile `
          + 'whose webhook_url is one of them, or none.', limit: 'platforms', max: PLATFORMS_MAX,
      })
    }
    const positions = formatPositions(await latestPositions({ ledger }, { ...owner, mode }))
    await saveEndpoint(durable, id, {
      account: owner.account, agent: owner.agent, url, state: 'active',
      events: JSON.stringify(['order.*', 'aftersale.*', 'refund.arrived']),
      positions, settled: positions, secrets: sealSecrets(secrets, id, []),
      created_at: String(nowMs()), ends_at: String(endsAt),
    }, { isNew: true })
    await durable.send('sadd', keys.webhookShard(shardOf(id)), id)
    await ring([id])
  }
}

/** Deliveries keep what they are about, and their message is made when it is sent. */
export async function platformDeliveries(
  { platforms }: DeliveryServices, endpoint: EndpointRecord,
  entries: readonly (StreamEntry & { readonly isHidden: boolean })[],
): Promise<(readonly [subject: string, delivery: string])[]> {
  const found = await Promise.all(entries.map(async (entry) => {
    const event = entry.isHidden ? undefined : eventOf(entry)
    const orderNo = event?.data['order_no']
    if (!event || typeof orderNo !== 'string' || UNTOLD.has(event.type)) return undefined
    const subject = await platforms?.subjectOf(endpoint, orderNo)
    if (subject === undefined) return undefined
    const delivery: WaitingDelivery = {
      id: event.id, type: event.type, t: nowMs(), n: 0,
      body: JSON.stringify({ subject, at: event.timestamp }),
    }
    return [subject, JSON.stringify(delivery)] as const
  }))
  return found.flatMap((one) => (one ? [one] : []))
}

/** There is no order yet, or nothing of it is another. */
const UNTOLD: ReadonlySet<string> = new Set([
  'order.created', 'order.expired', 'order.cancelled', 'order.accepted', 'order.completed',
])

const NOTHING_TO_TELL: OutboundAnswer = { status: 204, ms: 0, text: 'nothing to tell any more' }

export async function postToPlatform(
  { platforms }: DeliveryServices, outbound: Outbound, endpoint: EndpointRecord,
  { id, body }: WaitingDelivery, signal?: AbortSignal,
): Promise<OutboundAnswer> {
  const { subject, at = isoTime(nowMs()) } = JSON.parse(body) as { subject: string, at?: string }
  const message = await platforms?.compose(endpoint, subject, { id, timestamp: at })
  return message ? await outbound.post(endpoint.url, message.headers, message.body, signal)
    : NOTHING_TO_TELL
}
