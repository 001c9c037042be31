/**
 * What the agents know: every attempt, every answer that they were given, and from these what
 * must hold. It knows nothing of how the service works.
 */
import type { ErrorName } from '../../src/contract/errors.ts'
import type { Data } from './attempts.ts'

export interface Buyer {
  readonly agent: string
  readonly account: string
  readonly apiKey: string
}

interface PurchaseInput {
  readonly idempotency_key: string
  readonly merchant_id: number
  readonly product_id: number
  readonly qty: number
  readonly receiver: Readonly<Record<string, string>>
  readonly user_ref?: string
}

/** What an acknowledged order says of itself for good. */
interface Placed {
  readonly order_no: string
  readonly amount: number
  readonly freight: number
  readonly unit_price: number
  readonly qty: number
  readonly pay_url: string | undefined
}

/** An action that may be sent many times: how its attempts ended. */
export interface Action {
  sent: number
  done: number
  refused: number
  unknown: number
}

export interface Aftersale {
  readonly key: string | undefined
  readonly input: object
  readonly action: Action
  readonly ids: Set<string>
}

/** One business action of an agent and all that followed from it. */
export interface Purchase {
  readonly buyer: Buyer
  readonly input: PurchaseInput
  /** Who is behind it, where after-sales are counted. */
  readonly person: string
  readonly action: Action
  readonly refusals: ErrorName[]
  /** Answers that called it a first one. */
  firsts: number
  placed?: Placed
  /** The longest timeline that was shown, and when (ms) that answer came. */
  events: readonly string[]
  eventsAt: number
  readonly pay: Action
  readonly cancel: Action
  readonly aftersales: Aftersale[]
}

export interface Violation {
  readonly rule: string
  readonly subject: string
  readonly detail: string
}

export const newAction = (): Action => ({ sent: 0, done: 0, refused: 0, unknown: 0 })

export interface Model {
  readonly purchases: Purchase[]
  readonly violations: Violation[]
  /** Reads that showed less than an earlier one: a promise on a single ledger only. */
  stepsBack: number
  begin(buyer: Buyer, input: PurchaseInput): Purchase
  violated(rule: string, subject: string, detail: string): void
  find(orderNo: string): Purchase | undefined
  acknowledged(): Purchase[]
  /** The service said that this order exists. */
  place(purchase: Purchase, data: Data): void
}

export function createModel(): Model {
  const purchases: Purchase[] = []
  const violations: Violation[] = []
  const byOrder = new Map<string, Purchase>()
  const model: Model = {
    purchases,
    violations,
    stepsBack: 0,
    begin(buyer, input) {
      const purchase: Purchase = {
        buyer, input, action: newAction(), refusals: [], firsts: 0, events: [], eventsAt: 0,
        person: `${buyer.account} ${input.user_ref ?? input.receiver['phone']}`,
        pay: newAction(), cancel: newAction(), aftersales: [],
      }
      purchases.push(purchase)
      return purchase
    },
    violated: (rule, subject, detail) => { violations.push({ rule, subject, detail }) },
    find: (orderNo) => byOrder.get(orderNo),
    acknowledged: () => purchases.filter(({ placed }) => placed),
    place(purchase, data) {
      const placed = placedOf(data)
      const known = purchase.placed
      if (!known) {
        const other = byOrder.get(placed.order_no)
        if (other) model.violated('two actions, one order', placed.order_no, '')
        byOrder.set(placed.order_no, purchase)
        purchase.placed = placed
      } else if (factsOf(known) !== factsOf(placed)) {
        model.violated('an acknowledged order never changes', known.order_no,
          `${factsOf(known)} became ${factsOf(placed)}`)
      }
      if (placed.qty !== purchase.input.qty) {
        model.violated('an order is what was asked for', placed.order_no, `qty ${placed.qty}`)
      }
      if (placed.amount !== placed.qty * placed.unit_price + placed.freight) {
        model.violated('amounts add up', placed.order_no, factsOf(placed))
      }
    },
  }
  return model
}

const factsOf = (placed: Placed): string => {
  const { order_no, amount, freight, unit_price, qty } = placed
  return JSON.stringify({ order_no, amount, freight, unit_price, qty })
}

const placedOf = (data: Data): Placed => ({
  order_no: data['order_no'], amount: data['amount'], freight: data['freight'],
  unit_price: data['items'][0].unit_price, qty: data['items'][0].qty, pay_url: data['pay_url'],
})
