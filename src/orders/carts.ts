/**
 * Carts: lines that somebody collects before they mean to buy. A cart has one checkout at a time,
 * whose id derives from it: whoever converts it twice, or is cut in between, gets the same one.
 */
import { Refusal } from '../contract/errors.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Checkout, Checkouts } from './checkouts.ts'
import {
  type Change, type Draft, SESSION_TRIES, type SessionKind, SessionStore, type SessionStores,
  type ShoppingSession,
} from './session-store.ts'

export interface Cart extends ShoppingSession {
  readonly status: 'open' | 'over'
  /** The latest that it was converted to, and how often it was. */
  readonly checkout?: string
  readonly conversions: number
}

const OPEN_S = 30 * 86_400
const PURPOSE = 'cart'

const KIND: SessionKind<Cart> = {
  prefix: 'CA', purpose: PURPOSE, key: keys.cart, openS: OPEN_S,
  fresh: { status: 'open', conversions: 0 },
  bareS: () => undefined,
}

interface Options extends SessionStores {
  readonly checkouts: Pick<Checkouts, 'open' | 'find'>
}

export class Carts {
  private readonly options: Options
  private readonly store: SessionStore<Cart>

  constructor(options: Options) {
    this.options = options
    this.store = new SessionStore(options, KIND)
  }

  /** Opens one, or with a key that was used before returns what that opened. */
  async open(agent: string, draft: Draft, change: Change): Promise<Cart> {
    return present(await this.store.open(agent, draft, change))
  }

  /** One that is over, another agent's and none at all are refused with the same words. */
  async read(agent: string, id: string): Promise<Cart> {
    return present(await this.store.own(agent, id))
  }

  async replace(agent: string, id: string, draft: Draft, change: Change): Promise<Cart> {
    return await this.store.change(agent, id, 'update', change,
      (found) => ({ ...present(found), ...draft }))
  }

  /** Returns it as it was. */
  async cancel(agent: string, id: string, change: Change): Promise<Cart> {
    return await this.store.change(agent, id, 'cancel', change,
      (found) => ({ ...present(found), status: 'over' }))
  }

  /** The checkout of a cart that has one that is not completed, else a new one of its lines. */
  async convert(
    agent: string, id: string, draftOf: (cart: Cart) => Promise<Draft>, change: Change,
  ): Promise<Checkout> {
    const { checkouts, secrets } = this.options
    for (let nth = 0; nth < SESSION_TRIES; nth += 1) {
      const cart = await this.read(agent, id)
      const before = cart.checkout === undefined ? undefined : await checkouts.find(cart.checkout)
      if (before?.status === 'placed') {
        await this.end(before)
        throw gone()
      }
      // There already: opened again it is the same, and a key is bound to this request.
      if (before && before.status !== 'cancelled') {
        const { lines, details } = before
        return await checkouts.open(agent, { lines, details }, change, { id: before.id, cart: id })
      }
      const opened = await checkouts.open(agent, await draftOf(cart), change, {
        id: `CK${secrets.id(PURPOSE, agent, id, String(cart.conversions))}`, cart: id,
      })
      const linked = await this.store.write(cart,
        { ...cart, checkout: opened.id, conversions: cart.conversions + 1 })
      if (linked) return opened
    }
    throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  /** Has the cart of a checkout hold what that holds now. */
  async follow({ agent, cart, lines, details }: Checkout): Promise<void> {
    await this.changeOf(agent, cart, (found) =>
      ({ ...found, lines, details: { ...found.details, ...buyerIn(details) } }))
  }

  /** Of a checkout that is completed: its cart is over. */
  async end({ agent, cart }: Checkout): Promise<void> {
    await this.changeOf(agent, cart, (found) => ({ ...found, status: 'over' }))
  }

  private async changeOf(
    agent: string, id: string | undefined, to: (found: Cart) => Cart,
  ): Promise<void> {
    const found = id === undefined ? undefined : await this.store.find(id)
    if (id === undefined || found?.status !== 'open') return
    await this.store.change(agent, id, 'follow', { key: undefined, request: null },
      (now) => (now.status === 'open' ? to(now) : now))
  }
}

const buyerIn = ({ buyer }: Draft['details']): object => (buyer === undefined ? {} : { buyer })

const gone = (): Refusal => new Refusal('not_found', {
  hint: 'Open a new cart: this one has ended, or is not yours.',
})

function present(cart: Cart): Cart {
  if (cart.status !== 'open') throw gone()
  return cart
}
