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
import { partitionOfOrder } from '../contract/ids.ts'
import { orUnavailable } from '../redis/command-errors.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Orders } from './orders.ts'
import type { Buyer } from './place-order.ts'
import type { Given, Receiver } from './record.ts'
import {
  type Change, type CheckoutLine, type Draft, SESSION_TRIES, type SessionKind, SessionStore,
  type SessionStores, type ShoppingSession,
} from './session-store.ts'

/** Why the last attempt placed nothing: a line, and what it was refused with. */
export interface Shortage {
  readonly line: string
  readonly error: string
  readonly note: string
}

export interface Checkout extends ShoppingSession {
  readonly status: 'open' | 'placing' | 'releasing' | 'placed' | 'cancelled'
  readonly attempt: number
  /** In the order of the lines. */
  readonly orderNos?: readonly string[]
  readonly shortage?: Shortage
  /** The endpoint that is told what becomes of its orders. */
  readonly follower?: string
  /** The cart that it was. */
  readonly cart?: string
}

/** A checkout that a cart becomes has an id that derives from it. */
export interface FromCart { readonly id: string, readonly cart: string }

export interface Checkouts {
  /** Opens one, or with a key that was used before returns what that opened. */
  open(agent: string, draft: Draft, change: Change, from?: FromCart): Promise<Checkout>
  /** Whosever it is; undefined where there is none. */
  find(id: string): Promise<Checkout | undefined>
  /** Another agent's and none at all are refused with the same words. */
  read(agent: string, id: string): Promise<Checkout>
  /** Replaces lines and details of one that is open. */
  replace(agent: string, id: string, draft: Draft, change: Change): Promise<Checkout>
  /** Notes the prices that are shown now. */
  requote(checkout: Checkout, lines: readonly CheckoutLine[]): Promise<Checkout>
  /** Binds the key of a completion to its request; refuses one that another request has. */
  claim(agent: string, id: string, change: Change): Promise<void>
  /** Orders every line, or none: then the checkout is open again, with its shortage. */
  place(buyer: Buyer, id: string, placement: Placement, change: Change): Promise<Checkout>
  cancel(agent: string, id: string, change: Change): Promise<Checkout>
  /** Where a person sees and pays it. */
  payUrl(id: string): string
  /** By its payUrl's token, for whoever pays. */
  payable(id: string, token: string): Promise<Checkout | undefined>
  /** The checkout that an order came of; undefined where it came of none. */
  ofOrder(orderNo: string): Promise<Checkout | undefined>
}

export interface Placement {
  readonly receiver: Receiver
  readonly follower?: string | undefined
}

const OPEN_S = 6 * 3600
/** As long as somebody may ask for what came of it. */
const PLACED_S = 400 * 86_400
const PURPOSE = 'checkout'

const KIND: SessionKind<Checkout> = {
  prefix: 'CK', purpose: PURPOSE, key: keys.checkout, openS: OPEN_S,
  fresh: { status: 'open', attempt: 0 },
  // Its orders have the receiver themselves.
  bareS: ({ status }) => (status === 'placed' ? PLACED_S : undefined),
}

interface Options extends SessionStores {
  readonly orders: Pick<Orders, 'place' | 'read' | 'cancel'>
  readonly publicUrl: string
}

export function createCheckouts(options: Options): Checkouts {
  const store = new SessionStore(options, KIND)
  const { ledger, secrets, publicUrl } = options
  const bind = async (
    agent: string, id: string, operation: string, { key, request }: Change,
  ): Promise<void> => {
    if (key !== undefined) await store.bind(agent, operation, key, [id, request], id)
  }
  return {
    open: (agent, draft, change, from) => store.open(agent,
      { ...draft, ...(from && { cart: from.cart }) }, change, from?.id),
    find: (id) => store.find(id),
    read: (agent, id) => store.own(agent, id),
    replace: (agent, id, draft, change) => store.change(agent, id, 'update', change, (found) => {
      if (found.status !== 'open') throw new Refusal('order_state', { status: found.status })
      const { shortage: _, ...rest } = found
      return { ...rest, ...draft }
    }),
    requote: async (checkout, lines) =>
      await store.write(checkout, { ...checkout, lines })
        ?? await store.own(checkout.agent, checkout.id),
    claim: (agent, id, change) => bind(agent, id, 'place', change),
    async place(buyer, id, placement, change) {
      await bind(buyer.agent, id, 'place', change)
      return await new Placing(store, options, buyer, placement).run(id)
    },
    async cancel(agent, id, change) {
      const found = await store.own(agent, id)
      if (found.status === 'placed') {
        await bind(agent, id, 'cancel', change)
        return await cancelOrders(options.orders, found)
      }
      return await store.change(agent, id, 'cancel', change, (now) => {
        if (now.status !== 'open') throw new Refusal('order_state', { status: now.status })
        return { ...now, status: 'cancelled' }
      })
    },
    payUrl: (id) => `${publicUrl}/checkout/${id}?t=${secrets.token(PURPOSE, id)}`,
    payable: async (id, token) => secrets.tokenMatches(PURPOSE, id, token)
      ? await store.find(id) : undefined,
    async ofOrder(orderNo) {
      // One that went to the archive leaves its attempt on the ledger.
      const given = await orUnavailable(ledger.hget(
        keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'given'))
      const { attempt = '' } = JSON.parse(given ?? '{}') as Partial<Given>
      const found = await store.find(attempt.split('.')[0]?.toUpperCase() ?? '')
      return found?.orderNos?.includes(orderNo) ? found : undefined
    },
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

/** One call that orders the lines of a checkout, or takes up where another one ended. */
class Placing {
  private readonly store: SessionStore<Checkout>
  private readonly options: Options
  private readonly buyer: Buyer
  private readonly placement: Placement

  constructor(
    store: SessionStore<Checkout>, options: Options, buyer: Buyer, placement: Placement,
  ) {
    this.store = store
    this.options = options
    this.buyer = buyer
    this.placement = placement
  }

  async run(id: string): Promise<Checkout> {
    const { agent } = this.buyer
    for (let nth = 0; nth < SESSION_TRIES; nth += 1) {
      const found = await this.store.own(agent, id)
      if (found.status === 'placed') return found
      if (found.status === 'cancelled') throw new Refusal('order_state', { status: found.status })
      if (found.status === 'releasing') return await this.release(found)
      const { shortage: _, ...rest } = found
      const { follower } = this.placement
      const begun = found.status === 'placing' ? found : await this.store.write(found,
        { ...rest, status: 'placing', ...(follower !== undefined && { follower }) })
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
        receiver: this.placement.receiver,
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
