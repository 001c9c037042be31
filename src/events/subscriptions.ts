/**
 * Subscriptions over MCP: webhook endpoints for one event type each, which their client names,
 * signs for and renews. Who asks, where it goes and what it is about make the subscription: the
 * same call again renews it.
 */
import { Refusal } from '../contract/errors.ts'
import { randomId } from '../contract/ids.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import { assertValid } from '../validate.ts'
import type { EventType } from './catalogue.ts'
import { postSigned } from './deliveries.ts'
import {
  type EndpointRecord, type EndpointsOptions, OVERLAP_MS, readEndpoint, removeEndpoint,
  signingSecretsOf,
  saveEndpoint, sealSecrets, shardOf, type Subscription, webhookJoin,
} from './endpoints.ts'
import { feedCursorOf, latestPositions, positionsOf } from './list-events.ts'
import { argumentsOf, isOver, SUBSCRIBABLE, watermarkOf } from './occurrences.ts'
import { type CallbackFailure, failureOf, type Outbound, urlProblem } from '../outbound.ts'
import { formatPositions, type Positions, readNext, streamsOf } from './read-events.ts'
import { answersChallenge, isSigningSecret } from './signing.ts'

export interface SubscriptionOwner {
  readonly account: string
  readonly agent: string
}

/** What it is about. */
export interface Topic {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

export interface SubscriptionKey extends Topic {
  readonly url: string
}

export interface SubscriptionInput extends SubscriptionKey {
  /** The client's own: `whsec_…`. */
  readonly secret: string
  /** Where to begin; null for now. */
  readonly cursor: string | null
  readonly maxAgeMs?: number | undefined
  /** Null for no end, which nobody gets. */
  readonly ttlMs?: number | null | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Granted {
  readonly id: string
  readonly refreshBefore: string
  readonly cursor: string
  /** Events after the cursor that was given are not delivered. */
  readonly truncated: boolean
}

export const SUBSCRIPTIONS_MAX = 50
const TTL_MS = { min: 60_000, normal: 86_400_000, max: 7 * 86_400_000 }

/** Refuses a type that there is not, and what it cannot be asked for. */
export function assertTopic({ name, arguments: given = {} }: Topic): EventType {
  const type = SUBSCRIBABLE.get(name)
  if (!type) throw new Refusal('not_found', { kind: 'event' })
  assertValid(argumentsOf(type), given)
  return type
}

export interface SubscriptionsOptions extends EndpointsOptions {
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly outbound: Outbound
}

const isRunning = (endpoint: EndpointRecord): boolean =>
  endpoint.state === 'active' && !isOver(endpoint)

/** Whoever asks for no end gets the longest. */
const ttlOf = ({ ttlMs = TTL_MS.normal }: SubscriptionInput): number =>
  Math.max(TTL_MS.min, Math.min(ttlMs ?? TTL_MS.max, TTL_MS.max))

export class Subscriptions {
  private readonly options: SubscriptionsOptions

  constructor(options: SubscriptionsOptions) {
    this.options = options
  }

  /** Its receiver is asked for the challenge first, unless it has answered this agent before. */
  async subscribe(
    owner: SubscriptionOwner, input: SubscriptionInput,
  ): Promise<Granted | { readonly failure: CallbackFailure }> {
    const { ledger, durable, secrets, ring } = this.options
    assertTopic(input)
    this.assertReceiver(input)
    const given = input.cursor === null ? undefined : positionsOf(input.cursor, 'cursor')
    const id = this.idOf(owner, input)
    const existing = await readEndpoint(ledger, id)
    if (existing && isRunning(existing)) return await this.renew(existing, input)
    if (existing) await removeEndpoint({ ledger, durable }, existing)
    const failure = await this.isProven(owner, input.url)
      ? undefined : await this.challenge(id, input)
    if (failure) return { failure }
    const isJoined = await durable.run(webhookJoin, {
      webhooks: keys.subscriptions(owner.account),
    }, { id, agent: owner.agent, count_max: SUBSCRIPTIONS_MAX })
    if (!isJoined) {
      throw new Refusal('webhook_limit', { limit: 'subscriptions', max: SUBSCRIPTIONS_MAX })
    }
    const { positions, notBefore, truncated } = await this.beginning(owner, input, given)
    const expiresAt = nowMs() + ttlOf(input)
    await saveEndpoint(durable, id, {
      account: owner.account, agent: owner.agent, url: input.url, state: 'active',
      events: JSON.stringify([input.name]),
      positions: formatPositions(positions), settled: formatPositions(positions),
      secrets: sealSecrets(secrets, id, [{ secret: input.secret }]), created_at: String(nowMs()),
      subscription: JSON.stringify({
        arguments: (input.arguments ?? {}) as Subscription['arguments'], notBefore, expiresAt,
      } satisfies Subscription),
    }, { isNew: true })
    await durable.send('sadd', keys.webhookShard(shardOf(id)), id)
    await ring([id])
    return { id, refreshBefore: isoTime(expiresAt), cursor: feedCursorOf(positions), truncated }
  }

  async unsubscribe(owner: SubscriptionOwner, key: SubscriptionKey): Promise<void> {
    const { ledger, durable } = this.options
    assertTopic(key)
    const existing = await readEndpoint(ledger, this.idOf(owner, key))
    if (!existing) throw new Refusal('not_found', { kind: 'subscription' })
    await removeEndpoint({ ledger, durable }, existing)
    if (!isRunning(existing)) throw new Refusal('not_found', { kind: 'subscription' })
  }

  /** A route, and no proof of anything: nobody else's parts give the same. */
  private idOf(
    { account, agent }: SubscriptionOwner, { url, name, arguments: given = {} }: SubscriptionKey,
  ): string {
    const sorted = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `sub_${this.options.secrets.id('subscription', account, agent, url, name,
      JSON.stringify(sorted))}`
  }

  private assertReceiver({ url, secret }: SubscriptionInput): void {
    const problem = urlProblem(url, this.options)
    const fields = [
      ...(problem === undefined ? [] : [{ path: 'delivery.url', problem }]),
      ...(isSigningSecret(secret) ? [] : [{
        path: 'delivery.secret', problem: 'must be whsec_ and 24 to 64 bytes in Base64',
      }]),
    ]
    if (fields.length > 0) throw new Refusal('invalid_request', { fields })
  }

  /** Another secret signs beside the one before it for a while. */
  private async renew(existing: EndpointRecord, input: SubscriptionInput): Promise<Granted> {
    const { durable, secrets, ring } = this.options
    const { id, subscription } = existing
    const expiresAt = nowMs() + ttlOf(input)
    const [present] = signingSecretsOf(secrets, existing)
    const isOther = present?.secret !== input.secret
    await saveEndpoint(durable, id, {
      subscription: JSON.stringify({ ...subscription, expiresAt }),
      ...(isOther && {
        secrets: sealSecrets(secrets, id, [{ secret: input.secret },
          ...present ? [{ ...present, until: nowMs() + OVERLAP_MS }] : []]),
      }),
    })
    await ring([id])
    return {
      id, refreshBefore: isoTime(expiresAt), cursor: feedCursorOf(watermarkOf(existing)),
      truncated: false,
    }
  }

  /** Whether a subscription of this agent leads there: then its receiver has answered before. */
  private async isProven({ account, agent }: SubscriptionOwner, url: string): Promise<boolean> {
    const { ledger } = this.options
    const members = Object.entries(await ledger.hgetall(keys.subscriptions(account)))
    const found = await runMany(ledger, members.filter(([, of]) => of === agent)
      .map(([id]) => ['hmget', keys.webhook(id), 'url', 'state'] as const))
    return (found as [string, string][]).some(([to, state]) => to === url && state === 'active')
  }

  private async challenge(
    id: string, { url, secret, signal }: SubscriptionInput,
  ): Promise<CallbackFailure | undefined> {
    const challenge = randomId('')
    const message = {
      id: `msg_verification_${randomId('')}`,
      body: JSON.stringify({ type: 'verification', challenge }),
    }
    const answer = await postSigned(this.options.outbound,
      { id, url, isSubscription: true }, message, [secret], signal)
    const failure = failureOf(answer)
    if (failure) return failure
    const isDone = answer.status !== null && answer.status < 300
      && answersChallenge(answer.text, challenge)
    return isDone ? undefined : 'challenge_failed'
  }

  private async beginning(
    owner: SubscriptionOwner, { maxAgeMs }: SubscriptionInput, given: Positions | undefined,
  ): Promise<{ positions: Positions, notBefore: number, truncated: boolean }> {
    const { ledger, mode, durable } = this.options
    const audience = { ...owner, mode }
    if (!given) {
      const positions = await latestPositions({ ledger }, audience)
      return { positions, notBefore: 0, truncated: false }
    }
    const notBefore = maxAgeMs === undefined ? 0 : nowMs() - maxAgeMs
    const streams = await streamsOf(ledger, audience)
    const { entries, isTrimmed } = await readNext(durable.read, streams, new Map(given))
    return {
      positions: given, notBefore,
      truncated: isTrimmed || entries.some(({ at }) => at < notBefore),
    }
  }
}
