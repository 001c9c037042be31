/** What each answer must be, given those before it; a break is recorded, never thrown. */
import type { Aftersale, Model, Purchase } from './model.ts'
import type { Data, Outcome } from './outcome.ts'
import { newDeed } from './model.ts'

/** What was known when a request was sent: an answer may only be held to that. */
export interface Known {
  readonly at: number
  readonly isPlaced: boolean
  readonly isPaid: boolean
  readonly isCancelled: boolean
  readonly wasCancelTried: boolean
  readonly aftersales: readonly string[]
  readonly events: readonly string[]
}

export const knownOf = (purchase: Purchase, at: number): Known => ({
  at,
  isPlaced: purchase.placed !== undefined,
  isPaid: purchase.pay.done > 0,
  isCancelled: purchase.cancel.done > 0,
  wasCancelTried: purchase.cancel.sent > 0,
  aftersales: purchase.aftersales.flatMap(({ ids }) => [...ids]),
  events: purchase.events,
})

type Heard = (purchase: Purchase, known: Known, outcome: Outcome) => void

export interface Rules {
  readonly placing: Heard
  readonly otherBody: Heard
  readonly paying: Heard
  readonly cancelling: Heard
  readonly reading: Heard
  readonly previewing: Heard
  readonly listing: (outcome: Outcome, own: (orderNo: string) => boolean) => void
  readonly requesting: (
    purchase: Purchase, request: Aftersale, known: Known, outcome: Outcome) => void
  readonly asking: Heard
  readonly withdrawing: Heard
  readonly listingAftersales: Heard
}

/** A refusal that says nothing of the order: the agent is to come back later. */
const isLater = (error: string): boolean => error === 'rate_limited'

export function createRules(model: Model, isStrict: boolean): Rules {
  const subject = ({ placed, input }: Purchase): string =>
    placed?.order_no ?? `key ${input.idempotency_key}`
  const broken = (rule: string, purchase: Purchase, detail: unknown): void =>
    model.violated(rule, subject(purchase), JSON.stringify(detail))

  /** Counts it; true when the answer is one to look at. */
  function count(deed: Purchase['deed'], purchase: Purchase, outcome: Outcome): boolean {
    if (outcome.kind === 'wrong') {
      deed.unknown += 1
      broken('only documented answers', purchase, outcome.what)
      return false
    }
    if (outcome.kind === 'unknown') deed.unknown += 1
    else if (outcome.kind === 'refused') deed.refused += 1
    else deed.done += 1
    return outcome.kind !== 'unknown'
  }

  function timeline(purchase: Purchase, known: Known, data: Data): void {
    const events = (data['events'] as Data[]).map(({ event, at }) => `${event} ${at}`)
    const isLonger = known.events.every((line, index) => events[index] === line)
    if (!isLonger && isStrict) {
      broken('a timeline is never rewritten', purchase, { before: known.events, now: events })
    } else if (!isLonger) {
      model.stepsBack += 1
    }
    if (events.length > purchase.events.length) purchase.events = events
  }

  const rules: Rules = {
    placing(purchase, known, outcome) {
      if (!count(purchase.deed, purchase, outcome)) return
      if (outcome.kind === 'done') {
        model.place(purchase, outcome.data)
        const isFirst = outcome.data['duplicate'] === false
        if (isFirst) purchase.firsts += 1
        if (isFirst && purchase.firsts > 1) broken('one first answer', purchase, outcome.data)
      } else if (outcome.kind === 'refused' && !isLater(outcome.error)) {
        purchase.refusals.push(outcome.error)
        const { qty } = purchase.input
        if (known.isPlaced) broken('same key, same order', purchase, outcome.data)
        else if (outcome.error !== 'out_of_stock') broken('a good order', purchase, outcome.data)
        else if (outcome.data['available_qty'] >= qty) {
          broken('out of stock means it', purchase, outcome.data)
        }
      }
    },
    otherBody(purchase, _known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      if (outcome.kind === 'done'
        || outcome.kind === 'refused' && !isLater(outcome.error)
        && outcome.error !== 'idempotency_mismatch') {
        broken('same key, other body: 422', purchase, outcome)
      }
    },
    paying(purchase, known, outcome) {
      if (!count(purchase.pay, purchase, outcome)) return
      if (outcome.kind === 'refused' && !isLater(outcome.error)
        && known.isPaid && !known.wasCancelTried && purchase.cancel.sent === 0) {
        broken('a paid order never closes by itself', purchase, outcome)
      }
    },
    cancelling(purchase, known, outcome) {
      if (!count(purchase.cancel, purchase, outcome)) return
      if (outcome.kind === 'done' && outcome.data['status'] !== 'closed') {
        broken('a cancelled order is closed', purchase, outcome.data)
      }
      if (outcome.kind === 'refused' && !isLater(outcome.error)
        && (known.isCancelled || outcome.error !== 'order_state')) {
        broken('a cancel can be repeated', purchase, outcome)
      }
    },
    reading(purchase, known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      if (outcome.kind === 'refused' && !isLater(outcome.error)) {
        broken('an acknowledged order is never lost', purchase, outcome)
      } else if (outcome.kind === 'done') {
        model.place(purchase, outcome.data)
        const { status, events } = outcome.data
        if (known.isPaid && !events.some(({ event }: Data) => event === 'paid')) {
          broken('an acknowledged payment is never lost', purchase, outcome.data)
        }
        if (known.isCancelled && status !== 'closed') {
          broken('an acknowledged cancel is never lost', purchase, outcome.data)
        }
        timeline(purchase, known, outcome.data)
      }
    },
    previewing(purchase, _known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      const { placed } = purchase
      if (outcome.kind === 'refused' && !isLater(outcome.error)
        || outcome.kind === 'done' && placed && outcome.data['amount'] !== placed.amount) {
        broken('a preview is what an order costs', purchase, outcome)
      }
    },
    listing(outcome, own) {
      if (outcome.kind === 'wrong') model.violated('only documented answers', 'list', outcome.what)
      if (outcome.kind !== 'done') return
      for (const item of outcome.data['items'] as Data[]) {
        const purchase = model.find(item['order_no'])
        if (purchase && purchase.placed?.amount !== item['amount']) {
          broken('a list shows what the order is', purchase, item)
        }
        if (purchase && !own(item['order_no'])) broken('a list is its own', purchase, item)
      }
    },
    requesting(purchase, request, known, outcome) {
      if (!count(request.deed, purchase, outcome)) return
      if (outcome.kind === 'done') request.ids.add(outcome.data['aftersale_id'])
      if (request.key !== undefined && request.ids.size > 1) {
        broken('same key, same after-sale', purchase, [...request.ids])
      }
      const expected = ['order_state', 'aftersale_refused', 'aftersale_quota', 'rate_limited']
      if (outcome.kind === 'refused') {
        if (!expected.includes(outcome.error)) broken('a good after-sale', purchase, outcome)
        const hasOwn = [...request.ids].some((id) => known.aftersales.includes(id))
        if (request.key !== undefined && hasOwn && !isLater(outcome.error)) {
          broken('same key, same after-sale', purchase, outcome)
        }
      }
    },
    asking(purchase, _known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      if (outcome.kind === 'done' && outcome.data['aftersale_id'] !== undefined) {
        broken('a preview files nothing', purchase, outcome.data)
      }
    },
    withdrawing(purchase, _known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      const expected = ['order_state', 'aftersale_refused', 'rate_limited']
      if (outcome.kind === 'refused' ? !expected.includes(outcome.error)
        : outcome.kind === 'done' && outcome.data['status'] !== 'cancelled') {
        broken('an after-sale is taken back or not', purchase, outcome)
      }
    },
    listingAftersales(purchase, known, outcome) {
      if (!count(newDeed(), purchase, outcome)) return
      if (outcome.kind === 'refused' && !isLater(outcome.error)) {
        broken('an acknowledged order is never lost', purchase, outcome)
      } else if (outcome.kind === 'done') {
        const ids = (outcome.data['items'] as Data[]).map((item) => item['aftersale_id'])
        const lost = known.aftersales.filter((id) => !ids.includes(id))
        if (lost.length > 0) broken('an acknowledged after-sale is never lost', purchase, lost)
      }
    },
  }
  return rules
}
