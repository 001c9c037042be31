/** Webhook endpoints of an account or of one of its agents: made, changed, listed, taken away. */
import { Refusal } from '../contract/errors.ts'
import { randomId } from '../contract/ids.ts'
import type { Mode } from '../contract/money.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { readWith, runMany } from '../redis/send.ts'
import type { Secrets } from '../secrets/derive.ts'
import { assertEventPatterns } from './catalogue.ts'
import { idOf } from './describe.ts'
import { urlProblem } from '../outbound.ts'
import { formatPositions, readRecent, streamsOf } from './read-events.ts'
import { newSigningSecret } from './signing.ts'

/** Whose endpoints: an agent's own, or those of an account and all its agents. */
export interface EndpointOwner {
  readonly account: string
  /** Undefined: the account's. */
  readonly agent?: string | undefined
}

export type EndpointState = 'unproven' | 'active' | 'disabled'

export interface EndpointRecord {
  readonly id: string
  readonly account: string
  /** Empty for an endpoint of the account. */
  readonly agent: string
  readonly url: string
  readonly events: readonly string[]
  /** Only events of these; all of the account's without it. */
  readonly agents?: readonly string[]
  readonly state: EndpointState
  readonly reason?: 'gone' | 'failing'
  readonly createdAt: number
  readonly failingSince?: number
  /** When an attempt last succeeded, and when one last failed, ms. */
  readonly succeededAt?: number
  readonly failedAt?: number
  readonly waiting: number
  /** Sealed. */
  readonly secrets: string
  readonly positions: string
  /** The owners of the streams that it is registered with. */
  readonly following: string
  /** It was disabled, and no event says so yet: when, ms. */
  readonly unsaid?: number
  /** Positions up to which all is done with, as it was when something began to wait. */
  readonly settled: string
  /** It came over MCP: what it is sent has that protocol's form. */
  readonly subscription?: Subscription
  /** It is a platform's, see platforms.ts, and ends unless its agent orders before, ms. */
  readonly endsAt?: number
}

export interface Subscription {
  /** Fields of an event's data that have to be these. */
  readonly arguments: Readonly<Record<string, string>>
  /** Events before this time are not sent, ms. */
  readonly notBefore: number
  /** It ends unless it is renewed before, ms. */
  readonly expiresAt: number
}

export interface SigningSecret {
  readonly secret: string
  /** Until when it signs beside the newest, ms. */
  readonly until?: number
}

/** Of a delivery as it waits. */
export interface WaitingDelivery {
  readonly id: string
  readonly type: string
  /** What is sent, byte for byte. */
  readonly body: string
  /** When it began to wait, ms. */
  readonly t: number
  /** Attempts that failed. */
  readonly n: number
}

export const ENDPOINTS_MAX = 10
export const WEBHOOK_SHARDS = 8
export const WAITING_MAX = 10_000
/** Of attempts, and of what waits for an endpoint that is disabled. */
export const KEPT_MS = 7 * 86_400_000
export const OVERLAP_MS = 86_400_000
/** The place in the queue of what proves an endpoint. */
export const CHALLENGE = 'challenge'

export const webhookSave = defineScript('webhook-save', ['webhook', 'queue', 'due'],
  ['fields', 'challenge', 'is_new', 'kept_ms'], (saved: number) => saved === 1)

export const webhookJoin = defineScript('webhook-join', ['webhooks'], ['id', 'agent', 'count_max'],
  (joined: number) => joined === 1)

export const webhookTake = defineScript('webhook-take', ['webhook', 'queue', 'due'],
  ['before', 'after', 'deliveries', 'waiting_max'],
  ([code]: ['taken' | 'stale' | 'full' | 'idle']) => code)

export const webhookKeys = (id: string) => ({
  webhook: keys.webhook(id), queue: keys.webhookQueue(id), due: keys.webhookDue(id),
})

/** Endpoints are shared out among workers by their names. */
export const shardOf = (id: string): number =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % WEBHOOK_SHARDS

export async function readEndpoint(
  ledger: RedisClient, id: string,
): Promise<EndpointRecord | undefined> {
  return endpointOf(id, await ledger.hgetall(keys.webhook(id)))
}

function endpointOf(id: string, fields: Record<string, string>): EndpointRecord | undefined {
  const { account, agent = '', url, events, agents, state, reason, secrets } = fields
  if (!account || !url || !secrets) return undefined
  return {
    id, account, agent, url, secrets,
    events: JSON.parse(events ?? '["*"]') as string[],
    ...(agents && { agents: JSON.parse(agents) as string[] }),
    state: state as EndpointState,
    ...(reason && { reason: reason as 'gone' | 'failing' }),
    createdAt: Number(fields['created_at']),
    ...(fields['failing_since'] && { failingSince: Number(fields['failing_since']) }),
    ...(fields['succeeded_at'] && { succeededAt: Number(fields['succeeded_at']) }),
    ...(fields['failed_at'] && { failedAt: Number(fields['failed_at']) }),
    waiting: Number(fields['waiting'] ?? 0),
    positions: fields['positions'] ?? '',
    following: fields['following'] ?? '',
    ...(fields['unsaid'] && { unsaid: Number(fields['unsaid']) }),
    settled: fields['settled'] ?? '',
    ...(fields['subscription']
      && { subscription: JSON.parse(fields['subscription']) as Subscription }),
    ...(fields['ends_at'] && { endsAt: Number(fields['ends_at']) }),
  }
}

export interface EndpointView {
  readonly webhook_id: string
  readonly url: string
  readonly agent?: string
  readonly events: readonly string[]
  readonly agents?: readonly string[]
  readonly state: EndpointState
  readonly reason?: string
  readonly created_at: string
  readonly failing_since?: string
  readonly succeeded_at?: string
  readonly failed_at?: string
  readonly waiting: number
}

const viewOf = (endpoint: EndpointRecord): EndpointView => ({
  webhook_id: endpoint.id, url: endpoint.url, events: endpoint.events,
  ...(endpoint.agent && { agent: endpoint.agent }),
  ...(endpoint.agents && { agents: endpoint.agents }),
  state: endpoint.state,
  ...(endpoint.reason && { reason: endpoint.reason }),
  created_at: isoTime(endpoint.createdAt),
  ...(endpoint.failingSince !== undefined && { failing_since: isoTime(endpoint.failingSince) }),
  ...(endpoint.succeededAt !== undefined && { succeeded_at: isoTime(endpoint.succeededAt) }),
  ...(endpoint.failedAt !== undefined && { failed_at: isoTime(endpoint.failedAt) }),
  waiting: endpoint.waiting,
})

export interface EndpointInput {
  readonly url: string
  readonly events?: readonly string[]
  /** None: of all. */
  readonly agents?: readonly string[]
}

/** As it is kept: empty where it names none. */
const agentsText = (agents: readonly string[]): string =>
  (agents.length > 0 ? JSON.stringify(agents) : '')

export interface EndpointsOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly secrets: Secrets
  /** Which books' events are sent. */
  readonly mode: Mode
  readonly allowsLoopback: boolean
  /** Has a worker look at these endpoints soon. */
  readonly ring: (ids: readonly string[]) => Promise<void>
}

export class Endpoints {
  private readonly options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.options = options
  }

  /** The secret is shown here and nowhere else. */
  async create(
    { account, agent = '' }: EndpointOwner, { url, events = ['*'], agents }: EndpointInput,
  ): Promise<EndpointView & { secret: string }> {
    const { durable, ledger, mode, ring } = this.options
    this.assertUrl(url)
    assertEventPatterns(events, 'events')
    const [id, secret] = [randomId('wh_'), newSigningSecret()]
    const isJoined = await durable.run(webhookJoin, { webhooks: keys.webhooks(account) },
      { id, agent, count_max: ENDPOINTS_MAX })
    if (!isJoined) {
      throw new Refusal('webhook_limit', {
        hint: `An account has at most ${ENDPOINTS_MAX} webhook endpoints: delete one.`,
        limit: 'webhooks', max: ENDPOINTS_MAX,
      })
    }
    const streams = await streamsOf(ledger, { account, agent: agent || undefined, mode })
    // What happens from now on is delivered, though the endpoint is proven later.
    const { positions } = await readRecent(readWith(ledger), streams, 1)
    await saveEndpoint(this.options.durable, id, {
      account, agent, url, events: JSON.stringify(events),
      positions: formatPositions(positions),
      ...(agents && { agents: agentsText(agents) }),
      secrets: sealSecrets(this.options.secrets, id, [{ secret }]), created_at: String(nowMs()),
    }, { isNew: true, isProvenAnew: true })
    await durable.send('sadd', keys.webhookShard(shardOf(id)), id)
    await ring([id])
    const made = await readEndpoint(ledger, id)
    if (!made) throw new Refusal('unavailable')
    return { ...viewOf(made), secret }
  }

  async list(owner: EndpointOwner): Promise<EndpointView[]> {
    const { ledger } = this.options
    const members = await ledger.hgetall(keys.webhooks(owner.account))
    const ids = Object.entries(members)
      .filter(([, agent]) => owner.agent === undefined || agent === owner.agent).map(([id]) => id)
    const found = await runMany(ledger, ids.map((id) => ['hgetall', keys.webhook(id)] as const))
    return ids.flatMap((id, index) => {
      const endpoint = endpointOf(id, found[index] as Record<string, string>)
      return endpoint ? [viewOf(endpoint)] : []
    }).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  async view(owner: EndpointOwner, id: string): Promise<EndpointView> {
    return viewOf(await this.own(owner, id))
  }

  /** Another url is proven anew, and so is an endpoint that was disabled. */
  async update(
    owner: EndpointOwner, id: string,
    { url, events, agents, enabled }: Partial<EndpointInput> & { enabled?: boolean },
  ): Promise<EndpointView> {
    const before = await this.own(owner, id)
    if (url !== undefined) this.assertUrl(url)
    if (events) assertEventPatterns(events, 'events')
    const isOther = url !== undefined && url !== before.url
    const isBack = enabled === true && before.state === 'disabled'
    await saveEndpoint(this.options.durable, id, {
      ...(url !== undefined && { url }),
      ...(events && { events: JSON.stringify(events) }),
      ...(agents && { agents: agentsText(agents) }),
      ...(enabled === false && { state: 'disabled' }),
    }, { isProvenAnew: enabled !== false && (isOther || isBack) })
    await this.options.ring([id])
    return await this.view(owner, id)
  }

  async remove(owner: EndpointOwner, id: string): Promise<void> {
    const { ledger, durable } = this.options
    await removeEndpoint({ ledger, durable }, await this.own(owner, id))
  }

  /** A new secret; the present one signs beside it for a day. */
  async rotate(
    owner: EndpointOwner, id: string,
  ): Promise<{ secret: string, old_secret_ends_at: string }> {
    const endpoint = await this.own(owner, id)
    const until = nowMs() + OVERLAP_MS
    const { durable, secrets } = this.options
    const [present] = signingSecretsOf(secrets, endpoint)
    const secret = newSigningSecret()
    await saveEndpoint(durable, id, {
      secrets: sealSecrets(secrets, id, [{ secret }, ...present ? [{ ...present, until }] : []]),
    })
    return { secret, old_secret_ends_at: isoTime(until) }
  }

  /** Queues an event that says nothing; an endpoint that is not proven yet is tried at once. */
  async test(owner: EndpointOwner, id: string): Promise<{ event_id: string }> {
    const endpoint = await this.own(owner, id)
    const { durable, ring } = this.options
    const eventId = idOf(`test:${randomId('')}`)
    if (endpoint.state !== 'active') {
      await saveEndpoint(this.options.durable, id, {}, { isProvenAnew: true })
      await ring([id])
      return { event_id: eventId }
    }
    const event = {
      id: eventId, type: 'webhook.test', version: 1, timestamp: isoTime(nowMs()),
      data: { webhook_id: id },
    }
    const delivery: WaitingDelivery = {
      id: eventId, type: event.type, body: JSON.stringify(event), t: nowMs(), n: 0,
    }
    const code = await durable.run(webhookTake, webhookKeys(id), {
      before: '*', after: '', waiting_max: WAITING_MAX,
      deliveries: JSON.stringify([[eventId, JSON.stringify(delivery)]]),
    })
    if (code === 'full') throw waitingFull()
    await ring([id])
    return { event_id: eventId }
  }

  /** Another owner's and none at all are refused alike. */
  async own({ account, agent }: EndpointOwner, id: string): Promise<EndpointRecord> {
    const endpoint = await readEndpoint(this.options.ledger, id)
    if (!endpoint || endpoint.account !== account
      || (agent !== undefined && endpoint.agent !== agent)) throw new Refusal('not_found')
    return endpoint
  }

  private assertUrl(url: string): void {
    const problem = urlProblem(url, this.options)
    if (problem !== undefined) {
      throw new Refusal('invalid_request', { fields: [{ path: 'url', problem }] })
    }
  }
}

export const sealSecrets = (
  secrets: Pick<Secrets, 'seal'>, id: string, list: readonly SigningSecret[],
): string => secrets.seal('webhook').seal(JSON.stringify(list), id)

export async function saveEndpoint(
  durable: Pick<Durable, 'run'>, id: string, fields: Readonly<Record<string, string>>,
  { isNew = false, isProvenAnew = false } = {},
): Promise<void> {
  const isSaved = await durable.run(webhookSave, webhookKeys(id), {
    fields: JSON.stringify(['changed_at', String(nowMs()), ...Object.entries(fields).flat()]),
    challenge: isProvenAnew ? JSON.stringify([challengeDelivery()]) : '',
    is_new: isNew ? '1' : '', kept_ms: KEPT_MS,
  })
  if (!isSaved) throw new Refusal('not_found')
}

export const waitingFull = (): Refusal => new Refusal('webhook_limit', {
  hint: `More than ${WAITING_MAX} deliveries would wait: come back when fewer do.`,
  limit: 'waiting', max: WAITING_MAX,
})

/** What the receiver has to answer with is in the body. */
function challengeDelivery(): WaitingDelivery {
  const challenge = randomId('')
  return {
    id: idOf(`challenge:${challenge}`), type: 'webhook.challenge', n: 0, t: nowMs(),
    body: JSON.stringify({
      type: 'webhook.challenge', timestamp: isoTime(nowMs()), challenge,
    }),
  }
}

/** The newest first; without those whose time is over. */
export const signingSecretsOf = (
  secrets: Pick<Secrets, 'seal'>, { id, secrets: sealed }: EndpointRecord,
): SigningSecret[] =>
  (JSON.parse(secrets.seal('webhook').open(sealed, id)) as SigningSecret[])
    .filter(({ until }) => until === undefined || until > nowMs())

/** Its record goes last: who is interrupted finds it again. */
export async function removeEndpoint(
  { ledger, durable }: { ledger: RedisClient, durable: Pick<Durable, 'send'> },
  { id, account, following, subscription, endsAt }: EndpointRecord,
): Promise<void> {
  await runMany(ledger, ownersIn(following).map((owner) =>
    ['srem', keys.followers(owner), id] as const))
  const list = subscription ? keys.subscriptions(account)
    : endsAt === undefined ? keys.webhooks(account) : keys.platforms(account)
  await durable.send('hdel', list, id)
  await durable.send('srem', keys.webhookShard(shardOf(id)), id)
  const { webhook, queue, due } = webhookKeys(id)
  await durable.send('del', webhook, queue, due, keys.webhookAttempts(id))
}

export const ownersIn = (following: string): string[] => following.split(' ').filter(Boolean)
