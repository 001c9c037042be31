/** Asking for a refund or a return: decided by terms, limited by person, made by one move. */
import { isoTime, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import { canonicalJson } from '../contract/json.ts'
import type { Durable } from '../redis/durable.ts'
import {
  aftersaleSubject, decideAftersale, isOpenAftersale, type AftersaleDecision, type AftersaleGiven,
  type AftersaleRecord, type ReasonClass,
} from './aftersale-record.ts'
import { aftersaleView, type AftersaleAnswer } from './view.ts'
import { claim, keepClaim, type Attempt } from '../idempotency/claims.ts'
import type { OrderDriver } from './driver.ts'
import { orderState, type MakeMove, type MoveResult } from './moves.ts'
import { openReceiver, type OrderRecord } from './record.ts'
import type { AftersaleType } from './states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

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

interface AftersalesOptions {
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

type AftersaleMove = NonNullable<AftersaleDecision['move']>

export class AftersaleRequests {
  private readonly options: AftersalesOptions

  constructor(options: AftersalesOptions) {
    this.options = options
  }

  async request(input: AftersaleInput, { agent }: { agent: string }): Promise<AftersaleAnswer> {
    const { durable, secrets, own } = this.options
    let order = await own(agent, input.order_no)
    assertSamePerson(input, order)
    if (input.preview) return await this.preview(input, order)
    const fingerprint = fingerprintOf(input, secrets)
    const attempt: Attempt | undefined = input.idempotency_key === undefined
      ? undefined : { agent, operation: OPERATION, key: input.idempotency_key }
    const claimed = attempt && await claim(durable, attempt, {
      fingerprint, id: aftersaleId([attempt.key], order, secrets),
    })
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const answer = await this.attempt(input, order, fingerprint, claimed)
      if (answer) {
        // Before the answer: what is acknowledged keeps its key.
        if (attempt) await keepClaim(durable, attempt)
        return answer
      }
      order = await own(agent, input.order_no)
    }
    throw new Refusal('unavailable')
  }

  private async preview(input: AftersaleInput, order: OrderRecord): Promise<AftersaleAnswer> {
    const { people, returnFreight } = this.options
    const { terms, refusal } = decideAftersale(order, input, returnFreight)
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

  /** Undefined when the order has moved on meanwhile. */
  private async attempt(
    input: AftersaleInput, order: OrderRecord, fingerprint: string, claimed: string | undefined,
  ): Promise<AftersaleAnswer | undefined> {
    const before = order.aftersales.find((one) => (claimed ? one.id === claimed
      // Without a key the same request is the one that stands already.
      : one.given.fingerprint === fingerprint
        && (isOpenAftersale(one) || one.status === 'refunded')))
    if (before) {
      // Its claim may have been lost; the record knows what it was filed for.
      if (before.given.fingerprint !== fingerprint) throw new Refusal('idempotency_mismatch')
      return await this.replay(order, before)
    }
    const { terms, refusal, move } = decideAftersale(order, input, this.options.returnFreight)
    if (!move) throw refusalOf(order, refusal)
    // The same request for the same one of the order's after-sales, however often it is sent.
    const id = claimed ?? aftersaleId(
      [fingerprint, String(order.aftersales.length)], order, this.options.secrets)
    return await this.file(order, id, givenOf(input, terms, fingerprint), move)
  }

  /** Makes the move of a record that exists, for the sake of its WAIT, and answers from it. */
  private async replay(
    { agent, orderNo }: OrderRecord, record: AftersaleRecord,
  ): Promise<AftersaleAnswer | undefined> {
    const { code } = await this.move('request_aftersale', orderNo, record.id, record.given)
    const order = await this.options.own(agent, orderNo)
    const now = order.aftersales.find(({ id }) => id === record.id)
    // What was read may have been undone by a failover since.
    if ((code !== 'moved' && code !== 'done') || !now) return undefined
    return { ...aftersaleView(order, now, this.options.driver), duplicate: true }
  }

  private async file(
    order: OrderRecord, id: string, given: AftersaleGiven, move: AftersaleMove,
  ): Promise<AftersaleAnswer | undefined> {
    const { people, own, driver } = this.options
    const person = people.keyOf(order)
    const { left, closesAt } = await people.reserve(person, id)
    const { code } = await this.move(move, order.orderNo, id, given)
    // Where it was made before, its place is held since then.
    if (code !== 'moved') await people.release(person, id)
    if (code !== 'moved' && code !== 'done') return undefined
    const now = await own(order.agent, order.orderNo)
    const record = now.aftersales.find((one) => one.id === id)
    if (!record) throw new Refusal('unavailable')
    return {
      ...aftersaleView(now, record, driver),
      quota_left: left,
      ...(closesAt !== undefined && { quota_resets_at: isoTime(closesAt) }),
      duplicate: code === 'done',
    }
  }

  /** Both rows that begin an after-sale carry one mark: whichever was made, it is made. */
  private move(
    name: AftersaleMove, orderNo: string, id: string, given: AftersaleGiven,
  ): Promise<MoveResult> {
    return this.options.move(name, orderNo, {
      mark: 'request',
      aftersale: { ...aftersaleSubject({ id, given }), given: JSON.stringify(given) },
    })
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
  { type, reason, reason_class, pickup = true }: AftersaleInput, terms: AftersaleDecision['terms'],
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

function refusalOf(order: OrderRecord, refusal: AftersaleDecision['refusal']): Refusal {
  if (!refusal) return new Refusal('unavailable')
  if (refusal.error === 'order_state') return orderState(order, refusal.why)
  const open = order.aftersales.find(isOpenAftersale)
  return new Refusal('aftersale_refused', {
    why: refusal.why, ...(open && { aftersale_id: open.id, aftersale_status: open.status }),
  })
}

export const AFTERSALES_MAX = 5
const AFTERSALE_WINDOW_MS = 30 * 86_400_000

const windowReserve = defineScript('window-reserve', ['window'], ['id', 'limit', 'window_ms'],
  ([isReserved, left, closesAt]: [number, number, number]) =>
    ({ isReserved: isReserved === 1, left, closesAt }))

const windowRelease = defineScript('window-release', ['window'], ['id'],
  (holders: number) => holders)

interface PersonQuota {
  readonly left: number
  /** When the window closes, ms; absent while none is open. */
  readonly closesAt?: number
}

export interface People {
  /** The integrator's name for them, else the phone that the parcel goes to; told to nobody. */
  keyOf(order: OrderRecord): string
  quota(humanKey: string): Promise<PersonQuota>
  /**
   * Takes a place of the window for an after-sale: the same id takes one place, however often.
   * Refuses with aftersale_quota when all are taken.
   */
  reserve(humanKey: string, id: string): Promise<PersonQuota>
  /** Gives all back: a new window begins with the next after-sale. */
  restore(humanKey: string): Promise<void>
  /** Undoes one `reserve` whose after-sale did not come about by it. */
  release(humanKey: string, id: string): Promise<void>
}

interface PeopleOptions {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Secrets
  readonly isSandbox?: boolean
}

/** Integrators play the same person again and again. */
const SANDBOX_HINT = 'In the sandbox, give the order a user_ref of its own, or restore the quota '
  + 'on the order\'s page of the console (POST /console/api/orders/:order_no/moves, '
  + 'move restore_quota); else wait retry_after_s seconds.'

export function createPeople(
  { ledger, durable, secrets, isSandbox = false }: PeopleOptions,
): People {
  return {
    keyOf(order) {
      const { account, user_ref } = order.given
      const who = user_ref === undefined
        ? ['phone', phoneOf(order, secrets)] : ['user_ref', user_ref]
      return secrets.keyedHash('human', JSON.stringify([account, ...who]))
    },
    async quota(humanKey) {
      const window = keys.human(humanKey)
      const [used, closesAt] = await Promise.all([ledger.hlen(window), ledger.pexpiretime(window)])
      return {
        left: Math.max(0, AFTERSALES_MAX - used), ...(closesAt > 0 && { closesAt }),
      }
    },
    async reserve(humanKey, id) {
      const { isReserved, left, closesAt } = await durable.run(windowReserve,
        { window: keys.human(humanKey) },
        { id, limit: AFTERSALES_MAX, window_ms: AFTERSALE_WINDOW_MS })
      if (!isReserved) {
        throw new Refusal('aftersale_quota', {
          retry_after_s: Math.ceil(Math.max(0, closesAt - nowMs()) / 1000), quota_left: 0,
          ...(isSandbox && { hint: SANDBOX_HINT }),
        })
      }
      return { left, closesAt }
    },
    async restore(humanKey) {
      await durable.send('del', keys.human(humanKey))
    },
    async release(humanKey, id) {
      await durable.run(windowRelease, { window: keys.human(humanKey) }, { id })
    },
  }
}

/** Digits only, without the country's prefix: the same number however it was written. */
function phoneOf({ receiver, orderNo }: OrderRecord, secrets: Secrets): string {
  const { phone } = openReceiver(receiver, orderNo, secrets.seal('receiver'))
  return phone.replaceAll(/\D/g, '').replace(/^(?:00)?86(?=1\d{10}$)/, '')
}
