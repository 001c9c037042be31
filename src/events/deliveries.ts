/**
 * From the streams to an endpoint's queue, and from there to its receiver. A subject's deliveries,
 * such as those of an order, go in order: the next one when the one before it is done with.
 */
import { agentsOf } from '../accounts/agent-records.ts'
import type { Mode } from '../contract/money.ts'
import { nowMs } from '../contract/time.ts'
import { measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import type { Secrets } from '../secrets/derive.ts'
import { matchesTypes } from './catalogue.ts'
import { feedCursorOf } from './list-events.ts'
import { isOver, isSought, occurrenceOf, watermarkOf } from './occurrences.ts'
import { eventOf } from './describe.ts'
import {
  CHALLENGE, KEPT_MS, type WaitingDelivery, type EndpointRecord, signingSecretsOf, ownersIn,
  WAITING_MAX, webhookKeys, webhookSave, webhookTake,
} from './endpoints.ts'
import { appendNotices } from './feed.ts'
import type { Outbound, OutboundAnswer } from '../outbound.ts'
import {
  type EventStream, formatPositions, parsePositions, type Positions, READ_MAX, readNext,
  readNextDurably, type StreamEntry, streamsOf,
} from './read-events.ts'
import { platformDeliveries, type PlatformMessages, postToPlatform } from './platforms.ts'
import { answersChallenge, type SignedMessage, signedHeaders } from './signing.ts'

export interface DeliveryServices {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly secrets: Pick<Secrets, 'seal'>
  readonly mode: Mode
  /** Makes what platforms are sent. */
  readonly platforms?: PlatformMessages
}

/**
 * Seconds until the next attempt at a delivery, by how many have failed: within a day all told,
 * each longer or shorter by up to a fifth.
 */
export const RETRIES_S: readonly number[] =
  [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 28_800]
const JITTER = 0.2
/** Failures in a row after which an endpoint counts as failing: it is tried alone, with pauses. */
export const FAILS_MAX = 5
const PAUSE_MS_MAX = 60_000
const PAUSE_MS = 2000
/** An endpoint that fails for so long is disabled. */
export const FAILING_MS_MAX = 3 * 86_400_000
export const ATTEMPT_MS_MAX = 10_000
/** Longer than an attempt: a delivery whose node died is tried again after it. */
export const CLAIM_MS = 15_000
export const ATTEMPTS_KEPT = 1000
const GONE = 410
/** Of a subscription over MCP: the receiver does not want this one message, ever. */
const REFUSED = [GONE, 413]

const webhookClaim = defineScript('webhook-claim', ['webhook', 'queue', 'due'],
  ['count', 'claim_ms', 'fails_max'],
  ([dueMs, fails, ...flat]: [number, number, ...string[]]) => ({
    /** Until the next subject is due; undefined where none waits. */
    dueMs: dueMs < 0 ? undefined : dueMs,
    isFailing: fails >= FAILS_MAX,
    fails,
    claims: Array.from({ length: flat.length / 2 }, (_, index): Claim => ({
      subject: flat[2 * index] ?? '',
      delivery: JSON.parse(flat[2 * index + 1] ?? '') as WaitingDelivery,
    })),
  }))

const webhookSettle = defineScript('webhook-settle', ['webhook', 'queue', 'due', 'attempts'],
  ['subject', 'id', 'outcome', 'retry_ms', 'pause_ms', 'fails_max', 'failing_ms', 'log',
    'log_max', 'kept_ms', 'claim_ms'], (state: string) => state)

export interface Claim {
  readonly subject: string
  readonly delivery: WaitingDelivery
}

/** Takes what is new for an endpoint into its queue; true when there is more. */
export async function takeNews(
  services: DeliveryServices, endpoint: EndpointRecord, streams: readonly EventStream[],
): Promise<boolean> {
  const { ledger, durable } = services
  const positions = parsePositions(endpoint.positions) ?? new Map()
  const { entries } = await readNextDurably({ ledger, durable }, streams, positions)
  if (entries.length === 0) return false
  const deliveries = endpoint.endsAt === undefined ? deliveriesOf(endpoint, entries)
    : await platformDeliveries(services, endpoint, entries)
  for (const { stream, id } of entries) positions.set(stream.name, id)
  const code = await durable.run(webhookTake, webhookKeys(endpoint.id), {
    before: endpoint.positions, after: formatPositions(positions),
    deliveries: JSON.stringify(deliveries), waiting_max: WAITING_MAX,
  })
  return code === 'stale' || (code === 'taken' && entries.length >= READ_MAX)
}

type Queued = readonly [subject: string, delivery: string]

type Sought = Pick<EndpointRecord,
  'events' | 'agents' | 'subscription' | 'waiting' | 'positions' | 'settled'>

export function deliveriesOf(
  endpoint: Sought, entries: readonly (StreamEntry & { readonly isHidden: boolean })[],
): Queued[] {
  const { events, agents, subscription } = endpoint
  const cursor = subscription && feedCursorOf(watermarkOf(endpoint))
  return entries.flatMap((entry): Queued[] => {
    const event = entry.isHidden ? undefined : eventOf(entry)
    if (!event || !matchesTypes(events, event.type)) return []
    const { agent, order_no: orderNo, about, withdrawal_id: withdrawal } = event.data
    if (agents && !agents.includes(String(agent))) return []
    if (subscription && !isSought(subscription, event)) return []
    const message = subscription ? occurrenceOf(event, cursor) : event
    const delivery: WaitingDelivery = {
      id: event.id, type: event.type, body: JSON.stringify(message), t: nowMs(), n: 0,
    }
    return [[String(orderNo ?? about ?? withdrawal ?? event.id), JSON.stringify(delivery)]]
  })
}

/** Queues all that happened since a time (ms) once more. Undefined where too many would wait. */
export async function replaySince(
  services: DeliveryServices, endpoint: EndpointRecord, since: number,
): Promise<number | undefined> {
  const { ledger, durable, mode } = services
  const { account, agent } = endpoint
  const streams = await streamsOf(ledger, { account, agent: agent || undefined, mode })
  // Places in a stream begin with the time at which it was written.
  const positions: Positions = new Map(streams.map(({ name }) => [name, `${since}-0`]))
  let queued = 0
  for (;;) {
    const { entries } = await readNext(durable.read, streams, new Map(positions))
    for (const { stream, id } of entries) positions.set(stream.name, id)
    const deliveries = deliveriesOf(endpoint, entries)
    const code = await durable.run(webhookTake, webhookKeys(endpoint.id), {
      before: '*', after: '', waiting_max: WAITING_MAX, deliveries: JSON.stringify(deliveries),
    })
    if (code === 'full' || code === 'idle') return undefined
    queued += deliveries.length
    if (entries.length < READ_MAX) return queued
  }
}

/** Registers an endpoint with the streams that it follows now. */
export async function followStreams(
  { ledger, durable, mode }: DeliveryServices, endpoint: EndpointRecord,
): Promise<EventStream[]> {
  const { id, account, agent, following } = endpoint
  const streams = await streamsOf(ledger, { account, agent: agent || undefined, mode })
  const owners = [...new Set(streams.map(({ owner }) => owner))].toSorted()
  const text = owners.join(' ')
  if (text !== following) {
    await runMany(ledger, ownersIn(following).filter((owner) => !owners.includes(owner))
      .map((owner) => ['srem', keys.followers(owner), id] as const))
    await Promise.all(owners.map((owner) => durable.send('sadd', keys.followers(owner), id)))
    const isThere = await durable.run(webhookSave, webhookKeys(id),
      { fields: JSON.stringify(['following', text]), challenge: '', is_new: '', kept_ms: KEPT_MS })
    // Whoever took it away meanwhile knew of fewer.
    if (!isThere) {
      await Promise.all(owners.map((owner) => durable.send('srem', keys.followers(owner), id)))
    }
  }
  return streams
}

/** Whether its time is not over, and its agent or an agent of its account is still there. */
export async function isKept(
  ledger: RedisClient, endpoint: EndpointRecord,
): Promise<boolean> {
  const { account, agent } = endpoint
  if (isOver(endpoint)) return false
  if (agent !== '') return await ledger.hget(keys.agent(agent), 'account') === account
  return await ledger.exists(keys.login(account)) === 1
    || (await agentsOf(ledger, account)).length > 0
}

export const claimDeliveries = (
  { durable }: Pick<DeliveryServices, 'durable'>, id: string, count: number,
) => durable.run(webhookClaim, webhookKeys(id),
  { count, claim_ms: CLAIM_MS, fails_max: FAILS_MAX })

/** One attempt, and a note of it. Returns the state of the endpoint after it. */
export async function attemptDelivery(
  services: DeliveryServices, outbound: Outbound, endpoint: EndpointRecord,
  { subject, delivery }: Claim, fails: number, signal?: AbortSignal,
): Promise<string> {
  const at = nowMs()
  const secrets = signingSecretsOf(services.secrets, endpoint).map(({ secret }) => secret)
  const { id, url, subscription, endsAt } = endpoint
  const answer = endsAt === undefined ? await postSigned(outbound,
    { id, url, isSubscription: subscription !== undefined }, delivery, secrets, signal)
    : await postToPlatform(services, outbound, endpoint, delivery, signal)
  // A node that stops leaves it to the next one, which has the claim's end to wait for.
  if (signal?.aborted) return 'off'
  return await settle(services, endpoint, { subject, delivery }, { answer, at, fails })
}

/** What a subscription is sent names it, as its extension of MCP wants. */
export const postSigned = (
  outbound: Outbound,
  { id, url, isSubscription }: Pick<EndpointRecord, 'id' | 'url'> & { isSubscription: boolean },
  message: Pick<SignedMessage, 'id' | 'body'>, secrets: readonly string[], signal?: AbortSignal,
): Promise<OutboundAnswer> => outbound.post(url, {
  'user-agent': 'agentmall-webhooks/1',
  ...signedHeaders({
    id: message.id, body: message.body, timestampS: Math.floor(nowMs() / 1000),
  }, secrets),
  ...(isSubscription && { 'x-mcp-subscription-id': id }),
}, message.body, signal)

interface Outcome {
  readonly answer: OutboundAnswer
  readonly at: number
  /** Of the endpoint, in a row, before this attempt. */
  readonly fails: number
}

async function settle(
  services: DeliveryServices, { id, subscription }: EndpointRecord, { subject, delivery }: Claim,
  { answer, at, fails }: Outcome,
): Promise<string> {
  const isDone = isAccepted(subject, delivery, answer)
    || (subscription !== undefined && REFUSED.includes(answer.status ?? 0))
  const { n, type } = delivery
  const retryS = RETRIES_S[n]
  const outcome = isDone ? 'done' : answer.status === GONE ? 'gone'
    : retryS === undefined ? 'dropped' : 'later'
  const problem = answer.problem
    ?? (subject === CHALLENGE && !isDone ? 'the challenge was not answered' : undefined)
  const log = {
    event: delivery.id, type, subject, at: String(at), ms: String(answer.ms), outcome,
    attempt: String(n + 1), status: String(answer.status ?? ''), answer: answer.text,
    ...(problem !== undefined && { problem }), body: delivery.body,
  }
  measures.webhookAttempts.add(outcome)
  if (n === 0 && answer.status !== null) measures.webhookWait.record((nowMs() - delivery.t) / 1000)
  return await services.durable.run(webhookSettle,
    { ...webhookKeys(id), attempts: keys.webhookAttempts(id) }, {
      subject, id: delivery.id, outcome,
      retry_ms: Math.round((retryS ?? 0) * 1000 * jitter()),
      pause_ms: Math.min(PAUSE_MS * 2 ** Math.min(Math.max(fails - FAILS_MAX, 0), 10),
        PAUSE_MS_MAX),
      fails_max: FAILS_MAX, failing_ms: FAILING_MS_MAX,
      log: JSON.stringify(Object.entries(log).flat()),
      log_max: ATTEMPTS_KEPT, kept_ms: KEPT_MS, claim_ms: CLAIM_MS,
    })
}

const jitter = (): number => 1 - JITTER + Math.random() * 2 * JITTER

function isAccepted(
  subject: string, { body }: WaitingDelivery, { status, text }: OutboundAnswer,
): boolean {
  if (status === null || status < 200 || status >= 300) return false
  if (subject !== CHALLENGE) return true
  return answersChallenge(text, (JSON.parse(body) as { challenge: string }).challenge)
}

/** Says that an endpoint was disabled, in the feed of whose it is. */
export async function sayDisabled(
  { durable }: DeliveryServices, { id, account, agent, reason, unsaid }: EndpointRecord,
): Promise<string[]> {
  if (unsaid === undefined) return []
  const followers = await appendNotices(durable, agent || account, [{
    origin: `webhook:${id}:${unsaid}`, event: 'webhook_disabled', at: unsaid,
    facts: { webhook_id: id, reason: reason ?? 'failing' },
  }])
  await durable.send('hdel', keys.webhook(id), 'unsaid')
  return followers.filter((one) => one !== id)
}
