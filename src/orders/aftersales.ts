/** Asking for a refund or a return: decided by terms, limited by person, made by one move. */
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import { canonicalJson } from '../contract/json.ts'
import type { Durable } from '../redis/durable.ts'
import {
  isOpen, subjectOf, type AftersaleGiven, type AftersaleRecord,
} from './aftersale-record.ts'
import { decide, type Decision, type ReasonClass } from './aftersale-terms.ts'
import { aftersaleView, type AftersaleAnswer } from './aftersale-view.ts'
import { claim, keepClaim, type Attempt } from '../idempotency/claims.ts'
import type { OrderDriver } from './driver.ts'
import type { MakeMove, MoveResult } from './moves.ts'
import type { People } from './person.ts'
import type { OrderRecord } from './record.ts'
import { orderState } from './refusals.ts'
import type { AftersaleType } from './states.ts'

export interface AftersaleInput {
  readonly order_no: string
  readonly type: AftersaleType
  readonly reason?: string
  readonly reason_class?: ReasonClass
  readonly pickup?: boolean
  readonly user_ref?: string
  readonly preview?: boolean
  readonly idempotency_key?: string
}

export interface AftersalesOptions {
  readonly durable: Durable
  readonly secrets: Secrets
  readonly people: People
  readonly move: MakeMove
  /** The agent's own order; refuses with not_found. */
  own(agent: string, orderNo: string): Promise<OrderRecord>
  /** What a door pickup costs its payer, in fen. */
  readonly returnFreight: number
  readonly driver: OrderDriver
}

/** An order that moves on while it is looked at is looked at again, this often. */
const LOOKS_MAX = 4
const OPERATION = 'request_aftersale'

export function createAftersales(options: AftersalesOptions) {
  const { durable, secrets, people, move, own, returnFreight, driver } = options

  async function preview(input: AftersaleInput, order: OrderRecord): Promise<AftersaleAnswer> {
    const { terms, refusal } = decide(order, input, returnFreight)
    const { left, closesAt } = await people.quota(people.keyOf(order))
    const why = refusal?.why
      ?? (left === 0 ? 'This person has no after-sale requests left in this window.' : undefined)
    return {
      eligible: why === undefined,
      ...(why !== undefined && { why }),
      ...terms,
      quota_left: left,
      ...(closesAt !== undefined && { quota_resets_at: isoTime(closesAt) }),
    }
  }

  /** Makes the move of a record that exists, for the sake of its WAIT, and answers from it. */
  async function replay(
    agent: string, orderNo: string, record: AftersaleRecord,
  ): Promise<AftersaleAnswer | undefined> {
    const { code } = await moveFor('request_aftersale', orderNo, record.id, record.given)
    const order = await own(agent, orderNo)
    const now = order.aftersales.find(({ id }) => id === record.id)
    // What was read may have been undone by a failover since.
    if ((code !== 'moved' && code !== 'done') || !now) return undefined
    return { ...aftersaleView(order, now, driver), duplicate: true }
  }

  /** Both rows that begin an after-sale carry one mark: whichever was made, it is made. */
  const moveFor = (
    name: NonNullable<Decision['move']>, orderNo: string, id: string, given: AftersaleGiven,
  ): Promise<MoveResult> => move(name, orderNo, {
    mark: 'request',
    aftersale: { ...subjectOf({ id, given }), given: JSON.stringify(given) },
  })

  async function file(
    agent: string, order: OrderRecord, id: string, given: AftersaleGiven,
    name: NonNullable<Decision['move']>,
  ): Promise<AftersaleAnswer | undefined> {
    const person = people.keyOf(order)
    const { left, closesAt } = await people.reserve(person, id)
    const { code } = await moveFor(name, order.orderNo, id, given)
    // Where it was made before, its place is held since then.
    if (code !== 'moved') await people.release(person, id)
    if (code !== 'moved' && code !== 'done') return undefined
    const now = await own(agent, order.orderNo)
    const record = now.aftersales.find((one) => one.id === id)
    if (!record) throw new Refusal('unavailable')
    return {
      ...aftersaleView(now, record, driver),
      quota_left: left,
      ...(closesAt !== undefined && { quota_resets_at: isoTime(closesAt) }),
      duplicate: code === 'done',
    }
  }

  return async function request(
    input: AftersaleInput, { agent }: { agent: string },
  ): Promise<AftersaleAnswer> {
    let order = await own(agent, input.order_no)
    assertSamePerson(input, order)
    if (input.preview) return await preview(input, order)
    const fingerprint = fingerprintOf(input, secrets)
    const attempt: Attempt | undefined = input.idempotency_key === undefined
      ? undefined : { agent, operation: OPERATION, key: input.idempotency_key }
    const claimed = attempt && await claim(durable, attempt, {
      fingerprint, id: aftersaleId([attempt.key], order, secrets),
    })
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const answer = await attemptOnce(order)
      if (answer) {
        // Before the answer: what is acknowledged keeps its key.
        if (attempt) await keepClaim(durable, attempt)
        return answer
      }
      order = await own(agent, input.order_no)
    }
    throw new Refusal('unavailable')

    /** Undefined when the order has moved on meanwhile. */
    async function attemptOnce(now: OrderRecord): Promise<AftersaleAnswer | undefined> {
      const before = now.aftersales.find((one) => (claimed ? one.id === claimed
        // Without a key the same request is the one that stands already.
        : one.given.fingerprint === fingerprint && (isOpen(one) || one.status === 'refunded')))
      if (before) {
        // Its claim may have been lost; the record knows what it was filed for.
        if (before.given.fingerprint !== fingerprint) throw new Refusal('idempotency_mismatch')
        return await replay(agent, now.orderNo, before)
      }
      const { terms, refusal, move: name } = decide(now, input, returnFreight)
      if (!name) throw refusalOf(now, refusal)
      // The same request for the same one of the order's after-sales, however often it is sent.
      const id = claimed
        ?? aftersaleId([fingerprint, String(now.aftersales.length)], now, secrets)
      return await file(agent, now, id, givenOf(input, terms, fingerprint), name)
    }
  }
}

/** Derived, so that a retry has the same one even where its claim was lost. */
const aftersaleId = (
  attempt: readonly string[], { agent, orderNo }: OrderRecord, secrets: Secrets,
): string => `AS${secrets.id('aftersale', agent, orderNo, ...attempt)}`

function fingerprintOf(input: AftersaleInput, secrets: Secrets): string {
  const { idempotency_key: _, preview: __, ...asked } = input
  return secrets.keyedHash(OPERATION, canonicalJson({ pickup: true, ...asked }))
}

const givenOf = (
  { type, reason, reason_class, pickup = true }: AftersaleInput, terms: Decision['terms'],
  fingerprint: string,
): AftersaleGiven => ({
  type,
  ...(reason !== undefined && { reason }),
  ...(reason_class !== undefined && { reason_class }),
  pickup: pickup && type === 'return_refund',
  ...terms,
  fingerprint,
})

/** The person is the order's: an after-sale cannot name another. */
function assertSamePerson({ user_ref }: AftersaleInput, { given }: OrderRecord): void {
  if (user_ref === undefined || user_ref === given.user_ref) return
  throw new Refusal('invalid_request', {
    fields: [{ path: 'user_ref', problem: 'must be the one that the order was placed with' }],
  })
}

function refusalOf(order: OrderRecord, refusal: Decision['refusal']): Refusal {
  if (!refusal) return new Refusal('unavailable')
  if (refusal.error === 'order_state') return orderState(order, refusal.why)
  const open = order.aftersales.find(isOpen)
  return new Refusal('aftersale_refused', {
    why: refusal.why, ...(open && { aftersale_id: open.id, aftersale_status: open.status }),
  })
}
