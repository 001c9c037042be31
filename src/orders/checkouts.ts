/**
 * Checkouts: several lines that become orders together or not at all. A checkout is one record on
 * the ledger that is written only from the revision that was read; its orders have numbers derived
 * from it, so that every step can be taken again, by any node, after any crash:
 *
 *   open → placing → placed
 *            ↓
 *          releasing → open (the next attempt, with what could not be had)
 *
 * An order that was placed and not released by a crash is unpaid, and nobody has its address: its
 * payment window gives its units back.
 */
import { Refusal } from '../contract/errors.ts'
import { canonicalJson } from '../contract/json.ts'
import { randomId } from '../contract/ids.ts'
import { nowMs } from '../contract/time.ts'
import { claim } from '../idempotency/claims.ts'
import { orUnavailable } from '../redis/command-errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Orders } from './orders.ts'
import type { Buyer } from './place-order.ts'
import type { Receiver } from './record.ts'

export interface CheckoutLine {
  readonly id: string
  readonly skuId: number
  readonly productId: number
  readonly merchantId: number
  readonly qty: number
  /** Holds the price that was shown; absent where the line could not be priced. */
  readonly quote?: string
}

/** Why the last attempt placed nothing: a line, and what it was refused with. */
export interface Shortage {
  readonly line: string
  readonly error: string
  readonly note: string
}

/** What its owner chose; kept as it is, sealed. */
export type Details = Readonly<Record<string, unknown>>

interface State {
  readonly agent: string
  readonly status: 'open' | 'placing' | 'releasing' | 'placed' | 'cancelled'
  readonly lines: readonly CheckoutLine[]
  /** Sealed details; gone once there are orders, which have the receiver themselves. */
  readonly sealed?: string
  readonly attempt: number
  /** In the order of the lines. */
  readonly orderNos?: readonly string[]
  readonly shortage?: Shortage
  /** Keys of the changes that were made, the latest of them. */
  readonly keys: readonly string[]
  /** Milliseconds. */
  readonly createdAt: number
  readonly endsAt: number
}

export interface Checkout extends Omit<State, 'sealed'> {
  readonly id: string
  readonly revision: number
  readonly details: Details
}

export interface Draft {
  readonly lines: readonly CheckoutLine[]
  readonly details: Details
}

/** One change that a caller asked for; with a key it is made once. */
export interface Change {
  readonly key: string | undefined
  /** What is compared when the key comes again. */
  readonly request: unknown
}

export interface Checkouts {
  /** Opens one, or with a key that was used before returns what that opened. */
  open(agent: string, draft: Draft, change: Change): Promise<Checkout>
  /** Another agent's and none at all are refused with the same words. */
  read(agent: string, id: string): Promise<Checkout>
  /** Replaces lines and details of one that is open. */
  replace(agent: string, id: string, draft: Draft, change: Change): Promise<Checkout>
  /** Notes the prices that are shown now. */
  requote(checkout: Checkout, lines: readonly CheckoutLine[]): Promise<Checkout>
  /** Orders every line, or none: then the checkout is open again, with its shortage. */
  place(buyer: Buyer, id: string, receiver: Receiver, change: Change): Promise<Checkout>
  cancel(agent: string, id: string, change: Change): Promise<Checkout>
  /** Where a person sees and pays it. */
  payUrl(id: string): string
  /** By its payUrl's token, for whoever pays. */
  payable(id: string, token: string): Promise<Checkout | undefined>
}

const OPEN_S = 6 * 3600
/** As long as somebody may ask for what came of it. */
const PLACED_S = 400 * 86_400
const KEYS_KEPT = 8
const TRIES = 3
const PURPOSE = 'checkout'

const checkoutKeep = defineScript('checkout-keep', ['checkout'], ['revision', 'state', 'ttl_s'],
  (written: number) => written === 1)

interface Options {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Secrets
  readonly orders: Pick<Orders, 'place' | 'read' | 'cancel'>
  readonly publicUrl: string
}

export function createCheckouts(options: Options): Checkouts {
  const store = new CheckoutStore(options)
  const { secrets, publicUrl } = options
  return {
    open: (agent, draft, change) => store.open(agent, draft, change),
    read: (agent, id) => store.own(agent, id),
    replace: (agent, id, draft, change) => store.change(agent, id, 'update', change, (found) => {
      if (found.status !== 'open') throw new Refusal('order_state', { status: found.status })
      const { shortage: _, ...rest } = found
      return { ...rest, ...draft }
    }),
    requote: async (checkout, lines) =>
      await store.write(checkout, { ...checkout, lines })
        ?? await store.own(checkout.agent, checkout.id),
    place: (buyer, id, receiver, change) =>
      new Placing(store, options, buyer, receiver).run(id, change),
    async cancel(agent, id, change) {
      const found = await store.own(agent, id)
      if (found.status === 'placed') return await cancelOrders(options.orders, found)
      return await store.change(agent, id, 'cancel', change, (now) => {
        if (now.status !== 'open') throw new Refusal('order_state', { status: now.status })
        return { ...now, status: 'cancelled' }
      })
    },
    payUrl: (id) => `${publicUrl}/checkout/${id}?t=${secrets.token(PURPOSE, id)}`,
    payable: async (id, token) => secrets.tokenMatches(PURPOSE, id, token)
      ? await store.find(id) : undefined,
  }
}

/** Only while none of them is paid: an order that is paid is cancelled by itself. */
async function cancelOrders(
  orders: Pick<Orders, 'read' | 'cancel'>, checkout: Checkout,
): Promise<Checkout> {
  const { agent, orderNos = [] } = checkout
  for (const orderNo of orderNos) {
    const { status } = await orders.read(agent, orderNo)
    if (status !== 'pending_payment') throw new Refusal('order_state', { status })
  }
  for (const orderNo of orderNos) await orders.cancel(agent, orderNo)
  return checkout
}

/** The records, and the keys of the changes that made them. */
class CheckoutStore {
  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  async open(agent: string, draft: Draft, { key, request }: Change): Promise<Checkout> {
    const { secrets } = this.options
    const fresh = `CK${key === undefined ? randomId('') : secrets.id(PURPOSE, agent, key)}`
    const id = key === undefined ? fresh : await this.bind(agent, 'open', key, request, fresh)
    const found = await this.find(id)
    if (found) return found
    const now = nowMs()
    const empty: Checkout = {
      id, revision: 0, agent, status: 'open', lines: [], details: {}, attempt: 0, keys: [],
      createdAt: now, endsAt: now + OPEN_S * 1000,
    }
    return await this.write(empty, { ...empty, ...draft }) ?? await this.own(agent, id)
  }

  async own(agent: string, id: string): Promise<Checkout> {
    const found = await this.find(id)
    if (found?.agent !== agent) {
      throw new Refusal('not_found', {
        hint: 'Open a new checkout: this one has ended, or is not yours.',
      })
    }
    return found
  }

  async find(id: string): Promise<Checkout | undefined> {
    if (!CHECKOUT_ID.test(id)) return undefined
    const [revision, text] = await orUnavailable(
      this.options.ledger.hmget(keys.checkout(id), 'revision', 'state'))
    if (!revision || !text) return undefined
    const { sealed, ...state } = JSON.parse(text) as State
    const details = sealed === undefined ? {} : this.unseal(sealed, id)
    return details && { ...state, id, revision: Number(revision), details }
  }

  /** Undefined where its secret was retired meanwhile: it lasts for hours, and is opened anew. */
  private unseal(sealed: string, id: string): Details | undefined {
    try {
      return JSON.parse(this.options.secrets.seal('receiver').open(sealed, id)) as Details
    } catch {
      return undefined
    }
  }

  /** Undefined where somebody else has written since `from` was read. */
  async write(from: Checkout, to: Checkout): Promise<Checkout | undefined> {
    const { durable, secrets } = this.options
    const { id, revision } = from
    const { id: _id, revision: _revision, details, ...rest } = to
    const isPlaced = to.status === 'placed'
    const state: State = isPlaced ? rest
      : { ...rest, sealed: secrets.seal('receiver').seal(JSON.stringify(details), id) }
    const isWritten = await durable.run(checkoutKeep, { checkout: keys.checkout(id) }, {
      revision, state: JSON.stringify(state),
      ttl_s: isPlaced ? PLACED_S : Math.max(60, Math.ceil((to.endsAt - nowMs()) / 1000)),
    })
    return isWritten ? { ...to, details: isPlaced ? {} : details, revision: revision + 1 }
      : undefined
  }

  /** Makes a change once, from what is there; with a key that made one before, none. */
  async change(
    agent: string, id: string, operation: string, { key, request }: Change,
    to: (found: Checkout) => Checkout,
  ): Promise<Checkout> {
    if (key !== undefined) await this.bind(agent, operation, key, [id, request], id)
    for (let nth = 0; nth < TRIES; nth += 1) {
      const found = await this.own(agent, id)
      if (key !== undefined && found.keys.includes(`${operation}:${key}`)) return found
      const changed = to(found)
      const written = await this.write(found, key === undefined ? changed
        : { ...changed, keys: [...found.keys, `${operation}:${key}`].slice(-KEYS_KEPT) })
      if (written) return written
    }
    throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  async bind(
    agent: string, operation: string, key: string, request: unknown, id: string,
  ): Promise<string> {
    const { durable, secrets } = this.options
    // The scope has the face's operation, so that one key may open and complete.
    return await claim(durable, { agent, operation: `checkout_${operation}`, key }, {
      fingerprint: secrets.keyedHash('checkout', canonicalJson(request ?? null)), id,
    })
  }
}

const CHECKOUT_ID = /^CK[0-9A-HJKMNP-TV-Z]{16}$/

/** One call that orders the lines of a checkout, or takes up where another one ended. */
class Placing {
  private readonly store: CheckoutStore
  private readonly options: Options
  private readonly buyer: Buyer
  private readonly receiver: Receiver

  constructor(store: CheckoutStore, options: Options, buyer: Buyer, receiver: Receiver) {
    this.store = store
    this.options = options
    this.buyer = buyer
    this.receiver = receiver
  }

  async run(id: string, { key, request }: Change): Promise<Checkout> {
    const { agent } = this.buyer
    if (key !== undefined) await this.store.bind(agent, 'place', key, [id, request], id)
    for (let nth = 0; nth < TRIES; nth += 1) {
      const found = await this.store.own(agent, id)
      if (found.status === 'placed') return found
      if (found.status === 'cancelled') throw new Refusal('order_state', { status: found.status })
      if (found.status === 'releasing') return await this.release(found)
      const { shortage: _, ...rest } = found
      const begun = found.status === 'placing' ? found
        : await this.store.write(found, { ...rest, status: 'placing' })
      if (begun) return await this.placeAll(begun)
    }
    throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  private async placeAll(begun: Checkout): Promise<Checkout> {
    const orderNos: string[] = []
    for (const line of begun.lines) {
      const placed = await this.placeLine(begun, line)
      if ('shortage' in placed) return await this.giveUp(begun, placed.shortage)
      orderNos.push(placed.orderNo)
    }
    const written = await this.store.write(begun, { ...begun, status: 'placed', orderNos })
    if (written) return written
    // Another call decided meanwhile: where it did not place the same, these are nobody's.
    const now = await this.store.own(begun.agent, begun.id)
    if (now.status === 'placed' && now.attempt === begun.attempt) return now
    await this.releaseLines(begun)
    return now.status === 'releasing' ? await this.release(now) : now
  }

  private async placeLine(
    { id, attempt }: Checkout, line: CheckoutLine,
  ): Promise<{ orderNo: string } | { shortage: Shortage }> {
    const { orders } = this.options
    try {
      const { order_no: orderNo, status } = await orders.place({
        idempotency_key: lineKey(id, attempt, line.id),
        merchant_id: line.merchantId, product_id: line.productId, qty: line.qty,
        receiver: this.receiver,
        ...(line.quote !== undefined && { quote_token: line.quote }),
      }, this.buyer)
      // One that was closed meanwhile was of an attempt that somebody released.
      return ENDED.has(status)
        ? { shortage: { line: line.id, error: 'order_state', note: 'The attempt was given up.' } }
        : { orderNo }
    } catch (error) {
      if (!(error instanceof Refusal) || PASSING.has(error.error)) throw error
      const { available_qty, qty_cap, hint } = error.detail
      const note = available_qty !== undefined ? `Only ${Number(available_qty)} are left.`
        : qty_cap !== undefined ? `One order takes at most ${Number(qty_cap)}.`
          : hint ?? error.message
      return { shortage: { line: line.id, error: error.error, note } }
    }
  }

  /** First it is said that the attempt is over: no other call can then say that it is placed. */
  private async giveUp(begun: Checkout, shortage: Shortage): Promise<Checkout> {
    const releasing = await this.store.write(begun, { ...begun, status: 'releasing', shortage })
    if (releasing) return await this.release(releasing)
    await this.releaseLines(begun)
    return await this.store.own(begun.agent, begun.id)
  }

  private async release(releasing: Checkout): Promise<Checkout> {
    await this.releaseLines(releasing)
    const { agent, id, attempt } = releasing
    return await this.store.write(releasing, { ...releasing, status: 'open', attempt: attempt + 1 })
      ?? await this.store.own(agent, id)
  }

  private async releaseLines({ agent, id, attempt, lines }: Checkout): Promise<void> {
    const { orders, secrets } = this.options
    for (const { id: line, productId } of lines) {
      const orderNo = secrets.orderNo(agent, lineKey(id, attempt, line), productId)
      await orders.cancel(agent, orderNo).catch((error: unknown) => {
        const isNone = error instanceof Refusal
          && (error.error === 'not_found' || error.error === 'order_state')
        if (!isNone) throw error
      })
    }
  }
}

const ENDED: ReadonlySet<string> = new Set(['closed', 'refunding', 'refunded'])

/** Says nothing of a line: the same call may be made again. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'internal', 'rate_limited'])

/** The idempotency key of a line's order. */
const lineKey = (id: string, attempt: number, line: string): string =>
  `${id}.${attempt}.${line}`.toLowerCase()
