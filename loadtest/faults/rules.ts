/** What each answer must be, given those before it; a break is recorded, never thrown. */
import { newAction, type Action, type Aftersale, type Model, type Purchase } from './model.ts'
import type { Data, Outcome } from './attempts.ts'

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

/** A refusal that says nothing of the order: the agent is to come back later. */
const isLater = (error: string): boolean => error === 'rate_limited'

/** The rules of one run; `isStrict` where no read may show less than an earlier one. */
export class Rules {
  private readonly model: Model
  private readonly isStrict: boolean

  constructor(model: Model, isStrict: boolean) {
    this.model = model
    this.isStrict = isStrict
  }

  checkPlaced(purchase: Purchase, known: Known, outcome: Outcome): void {
    if (!this.count(purchase.action, purchase, outcome)) return
    if (outcome.kind === 'done') {
      this.model.place(purchase, outcome.data)
      const isFirst = outcome.data['duplicate'] === false
      if (isFirst) purchase.firsts += 1
      if (isFirst && purchase.firsts > 1) this.broken('one first answer', purchase, outcome.data)
    } else if (outcome.kind === 'refused' && !isLater(outcome.error)) {
      purchase.refusals.push(outcome.error)
      const { qty } = purchase.input
      if (known.isPlaced) this.broken('same key, same order', purchase, outcome.data)
      else if (outcome.error !== 'out_of_stock') this.broken('a good order', purchase, outcome.data)
      else if (outcome.data['available_qty'] >= qty) {
        this.broken('out of stock means it', purchase, outcome.data)
      }
    }
  }

  checkOtherBody(purchase: Purchase, _known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    if (outcome.kind === 'done'
      || outcome.kind === 'refused' && !isLater(outcome.error)
      && outcome.error !== 'idempotency_mismatch') {
      this.broken('same key, other body: 422', purchase, outcome)
    }
  }

  checkPaid(purchase: Purchase, known: Known, outcome: Outcome): void {
    if (!this.count(purchase.pay, purchase, outcome)) return
    if (outcome.kind === 'refused' && !isLater(outcome.error)
      && known.isPaid && !known.wasCancelTried && purchase.cancel.sent === 0) {
      this.broken('a paid order never closes by itself', purchase, outcome)
    }
  }

  checkCancelled(purchase: Purchase, known: Known, outcome: Outcome): void {
    if (!this.count(purchase.cancel, purchase, outcome)) return
    if (outcome.kind === 'done' && outcome.data['status'] !== 'closed') {
      this.broken('a cancelled order is closed', purchase, outcome.data)
    }
    if (outcome.kind === 'refused' && !isLater(outcome.error)
      && (known.isCancelled || outcome.error !== 'order_state')) {
      this.broken('a cancel can be repeated', purchase, outcome)
    }
  }

  checkRead(purchase: Purchase, known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    if (outcome.kind === 'refused' && !isLater(outcome.error)) {
      this.broken('an acknowledged order is never lost', purchase, outcome)
    } else if (outcome.kind === 'done') {
      this.model.place(purchase, outcome.data)
      const { status, events } = outcome.data
      if (known.isPaid && !events.some(({ event }: Data) => event === 'paid')) {
        this.broken('an acknowledged payment is never lost', purchase, outcome.data)
      }
      if (known.isCancelled && status !== 'closed') {
        this.broken('an acknowledged cancel is never lost', purchase, outcome.data)
      }
      this.compareTimeline(purchase, known, outcome.data)
    }
  }

  checkPreviewed(purchase: Purchase, _known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    const { placed } = purchase
    if (outcome.kind === 'refused' && !isLater(outcome.error)
      || outcome.kind === 'done' && placed && outcome.data['amount'] !== placed.amount) {
      this.broken('a preview is what an order costs', purchase, outcome)
    }
  }

  checkList(outcome: Outcome, own: (orderNo: string) => boolean): void {
    if (outcome.kind === 'wrong') {
      this.model.violated('only documented answers', 'list', outcome.what)
    }
    if (outcome.kind !== 'done') return
    for (const item of outcome.data['items'] as Data[]) {
      const purchase = this.model.find(item['order_no'])
      if (purchase && purchase.placed?.amount !== item['amount']) {
        this.broken('a list shows what the order is', purchase, item)
      }
      if (purchase && !own(item['order_no'])) this.broken('a list is its own', purchase, item)
    }
  }

  checkRequested(
    purchase: Purchase, request: Aftersale, known: Known, outcome: Outcome,
  ): void {
    if (!this.count(request.action, purchase, outcome)) return
    if (outcome.kind === 'done') request.ids.add(outcome.data['aftersale_id'])
    if (request.key !== undefined && request.ids.size > 1) {
      this.broken('same key, same after-sale', purchase, [...request.ids])
    }
    const expected = ['order_state', 'aftersale_refused', 'aftersale_quota', 'rate_limited']
    if (outcome.kind === 'refused') {
      if (!expected.includes(outcome.error)) this.broken('a good after-sale', purchase, outcome)
      const hasOwn = [...request.ids].some((id) => known.aftersales.includes(id))
      if (request.key !== undefined && hasOwn && !isLater(outcome.error)) {
        this.broken('same key, same after-sale', purchase, outcome)
      }
    }
  }

  checkAftersalePreview(purchase: Purchase, _known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    if (outcome.kind === 'done' && outcome.data['aftersale_id'] !== undefined) {
      this.broken('a preview files nothing', purchase, outcome.data)
    }
  }

  checkWithdrawn(purchase: Purchase, _known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    const expected = ['order_state', 'aftersale_refused', 'rate_limited']
    if (outcome.kind === 'refused' ? !expected.includes(outcome.error)
      : outcome.kind === 'done' && outcome.data['status'] !== 'cancelled') {
      this.broken('an after-sale is taken back or not', purchase, outcome)
    }
  }

  checkAftersaleList(purchase: Purchase, known: Known, outcome: Outcome): void {
    if (!this.count(newAction(), purchase, outcome)) return
    if (outcome.kind === 'refused' && !isLater(outcome.error)) {
      this.broken('an acknowledged order is never lost', purchase, outcome)
    } else if (outcome.kind === 'done') {
      const ids = (outcome.data['items'] as Data[]).map((item) => item['aftersale_id'])
      const lost = known.aftersales.filter((id) => !ids.includes(id))
      if (lost.length > 0) this.broken('an acknowledged after-sale is never lost', purchase, lost)
    }
  }

  private broken(rule: string, purchase: Purchase, detail: unknown): void {
    const { placed, input } = purchase
    this.model.violated(rule, placed?.order_no ?? `key ${input.idempotency_key}`,
      JSON.stringify(detail))
  }

  /** Counts it; true when the answer is one to look at. */
  private count(action: Action, purchase: Purchase, outcome: Outcome): boolean {
    if (outcome.kind === 'wrong') {
      action.unknown += 1
      this.broken('only documented answers', purchase, outcome.what)
      return false
    }
    if (outcome.kind === 'unknown') action.unknown += 1
    else if (outcome.kind === 'refused') action.refused += 1
    else action.done += 1
    return outcome.kind !== 'unknown'
  }

  private compareTimeline(purchase: Purchase, known: Known, data: Data): void {
    const events = (data['events'] as Data[]).map(({ event, at }) => `${event} ${at}`)
    const isLonger = known.events.every((line, index) => events[index] === line)
    if (!isLonger && this.isStrict) {
      this.broken('a timeline is never rewritten', purchase, { before: known.events, now: events })
    } else if (!isLonger) {
      this.model.stepsBack += 1
    }
    if (events.length > purchase.events.length) purchase.events = events
  }
}
