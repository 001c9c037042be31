/** One history's account, trial and orders over a real ledger, and what must be true of them. */
import type fc from 'fast-check'
import { auditAccount } from '../../src/earnings/audit.ts'
import {
  postEntries, readBalances, readRecord, type EarningsStore, type EarningsReader,
} from '../../src/earnings/books.ts'
import { reconcileCommission, type Earned } from '../../src/earnings/commission.ts'
import { release, settleAccount } from '../../src/earnings/lots.ts'
import { mergeTrial } from '../../src/earnings/merge-trial.ts'
import { exportPayouts } from '../../src/earnings/payouts.ts'
import {
  readJson, type CommissionRecord, bpsAt, commissionOf, setTerms,
} from '../../src/earnings/records.ts'
import {
  readWithdrawals, markWithdrawal, makeWithdrawal, withdrawalId, type WithdrawalStore,
} from '../../src/earnings/withdrawals.ts'
import { Refusal } from '../../src/contract/errors.ts'
import { createSecrets, type Secrets } from '../../src/secrets/derive.ts'
import { MODES, type Mode } from '../../src/contract/money.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { createCrashes, Crash } from '../../src/testing/crashes.ts'
import { KEYS, ORDERS, type Owner, type Planned, type State, type Step } from './steps.ts'
import { createTimeline, slowed, type Ledger, type Timeline } from './ledger.ts'

interface Order {
  readonly subject: string
  readonly owner: Owner
  readonly mode: Mode
  /** Only a platform's line comes back, and only its amount changes. */
  readonly isLine: boolean
  state: State | 'none'
  amount: number
  version: number
  /** When it was paid, ms: its rate is that of this moment. */
  paidAt: number
  /** Of its versions, the last that a consumer has dealt with. */
  handled: number
  readonly month: number
}

const secrets: Secrets = createSecrets('a-secret-of-random-earnings')
const PAYEE = { kind: 'bank_card', card: '4111111111111111', holder: '王小明' } as const
/** Month n of a history ends here; orders are confirmed in one of the months. */
const endOf = (month: number): number => 1_000_000 * (month + 1)

/** What came about in histories: one that never does anything proves nothing. */
export type Note = (what: string) => void

/** Everything that is wrong afterwards; the ledger has nothing else in it. */
export async function playHistory(
  store: Ledger, plan: readonly Planned[], scheduler: fc.Scheduler, note: Note = () => {},
): Promise<string[]> {
  const world = new World(store, scheduler, note)
  await world.reset()
  for (let at = 0; at < plan.length; at += 1) {
    const together = [plan[at] as Planned]
    while (together.at(-1)?.isTogether && plan[at + 1] && !isAlone(together.at(-1), plan[at + 1])) {
      together.push(plan[at += 1] as Planned)
    }
    await world.run(together)
  }
  // What a later event mends must be right before it, too.
  const during = [...await world.audit(), ...await world.compareWithHandled()]
  await world.complete()
  await world.noteEnds()
  return [...during, ...await world.audit(), ...await world.compareWithOrders()]
}

/** Consumers see nothing that a failover can still take back, so none is at work meanwhile. */
const isAlone = (...planned: readonly (Planned | undefined)[]): boolean =>
  planned.some((one) => one?.step.kind === 'lost')

const RANKS = { none: 0, pending: 1, confirmed: 2, reversed: 2 } as const
const OWNERS = { account: 'ac_account', trial: 'tr_trial' }

function newOrder(index: number): Order {
  const isLine = index % 3 === 2
  return {
    subject: isLine ? `mall_b:${index}` : `order:${index}`, isLine,
    owner: index % 2 ? 'trial' : 'account', mode: index < ORDERS / 2 ? 'sandbox' : 'live',
    state: 'none', amount: 0, version: 0, paidAt: 0, handled: 0, month: index % 3,
  }
}

class World {
  private readonly ledger: RedisClient
  private readonly timeline: Timeline
  private readonly crashes: ReturnType<typeof createCrashes>
  private readonly note: Note
  private readonly claims = Array.from({ length: KEYS }, (_, index) => `claim-${index}`)
  private readonly orders = Array.from({ length: ORDERS }, (_, index) => newOrder(index))
  /** What was withdrawable when everything was first asked for, by the request. */
  private readonly wholes = new Map<string, number>()
  private isMerging = false
  private isMerged = false

  constructor(store: Ledger, scheduler: fc.Scheduler, note: Note) {
    this.ledger = store.ledger
    this.timeline = createTimeline(store, scheduler)
    this.crashes = createCrashes(this.timeline.durable)
    this.note = note
  }

  async reset(): Promise<void> {
    await this.ledger.flushall()
    await this.ledger.hset(keys.account(OWNERS.trial), 'kind', 'trial')
    await this.ledger.hset(keys.account(OWNERS.account), 'kind', 'account')
  }

  /** All of them at once, in the order that the scheduler chooses. */
  run(together: readonly Planned[]): Promise<unknown> {
    return this.timeline.play(() => Promise.all(together.map((planned) => this.runOne(planned))))
  }

  /** What was cut off is repeated by its caller, and every event comes at last. */
  complete(): Promise<void> {
    const { timeline } = this
    return timeline.play(async () => {
      if (this.isMerging) await mergeTrial(timeline, OWNERS.trial, OWNERS.account)
      await Promise.all(this.orders.map((order) =>
        reconcileCommission(timeline, order.subject, async () => earned(order))))
      for (const mode of MODES) {
        const books = { ...timeline, mode }
        for (const { withdrawal_id: id } of await readWithdrawals(books, OWNERS.account, 100)) {
          await release(books, OWNERS.account, id)
        }
      }
    })
  }

  async noteEnds(): Promise<void> {
    for (const mode of MODES) await this.noteBooks(mode)
  }

  async audit(): Promise<string[]> {
    const audits = await Promise.all(Object.values(OWNERS).flatMap((one) =>
      MODES.map((mode) => auditAccount({ ledger: this.ledger, mode }, one))))
    return audits.flatMap(({ violations }) =>
      violations.map(({ invariant, detail }) => `${invariant}: ${detail}`))
  }

  /** Of orders that a consumer has dealt with as they are; and what a whole merge has left. */
  async compareWithHandled(): Promise<string[]> {
    const handled = this.orders.filter((one) => one.version > 0 && one.handled === one.version)
    return [...await this.wrongOnes(handled), ...this.isMerged ? await this.leftInTrial() : []]
  }

  async compareWithOrders(): Promise<string[]> {
    return [...await this.wrongOnes(this.orders),
      ...this.isMerging ? await this.leftInTrial() : []]
  }

  private async runOne({ step, crash, writeLag, times, pauseMs }: Planned): Promise<void> {
    this.timeline.pass(pauseMs)
    for (let time = 0; time < times; time += 1) {
      // Only the first attempt is cut off: whoever retries gets through.
      const own = this.crashes.wrap(time === 0 ? crash : undefined)
      const on = { ledger: this.timeline.ledger, durable: slowed(own, this.timeline, writeLag) }
      await this.act(step, on).catch((error: unknown) => {
        if (!(error instanceof Crash || isExpected(error))) throw error
        this.note(error instanceof Crash ? 'steps cut off' : 'steps refused')
      })
    }
  }

  private async act(step: Step, on: Ledger): Promise<void> {
    switch (step.kind) {
      case 'order': return this.change(this.orders[step.order] as Order, step)
      case 'lost': return this.setBack(this.orders[step.order] as Order, step.to)
      case 'deliver': return await this.deliver(this.orders[step.order] as Order, on, step.readLag)
      case 'terms':
        await setTerms(on.durable, OWNERS[step.owner], step.bps)
        return
      case 'merge':
        this.isMerging = true
        await mergeTrial(on, OWNERS.trial, OWNERS.account)
        this.isMerged = true
        return
      default: {
        // In both books, whatever comes of it in the first.
        const ends = []
        for (const mode of MODES) {
          ends.push(...await Promise.allSettled([this.actOnBooks(step, { ...on, secrets, mode })]))
        }
        const failed = ends.find((end) => end.status === 'rejected')
        if (failed) throw failed.reason
      }
    }
  }

  private change(order: Order, { to, fen, aheadMs = 0 }: Step & { kind: 'order' }): void {
    if (order.paidAt === 0) order.paidAt = this.timeline.now() + aheadMs
    const { isLine, state } = order
    const isBack = state === 'reversed' || (state === 'confirmed' && to === 'pending')
    if (!isLine && (isBack || state === to)) return
    if (state === 'none' || isLine) order.amount = fen
    order.state = to
    order.version += 1
  }

  private setBack(order: Order, to: 'none' | 'pending'): void {
    if (order.isLine || RANKS[to] >= RANKS[order.state]) return
    order.state = to
    order.version += 1
    this.note('orders set back')
  }

  private async deliver(order: Order, on: Ledger, readLag = 0): Promise<void> {
    let version = 0
    await reconcileCommission(on, order.subject, async () => {
      const read = earned(order)
      version = order.version
      await this.timeline.roundTrips(readLag)
      return read
    })
    order.handled = Math.max(order.handled, version)
  }

  private async actOnBooks(step: Step, on: WithdrawalStore & Ledger): Promise<void> {
    switch (step.kind) {
      case 'settle':
        await settleAccount(on, OWNERS.trial, endOf(step.month))
        await settleAccount(on, OWNERS.account, endOf(step.month))
        return
      case 'withdraw': {
        const { withdrawable } = await readBalances(on, OWNERS[step.owner])
        const whole = `${on.mode} ${step.key}`
        // Whoever repeats a request sends the same one.
        if (step.fen === 'all' && !this.wholes.has(whole)) this.wholes.set(whole, withdrawable)
        await makeWithdrawal(on, OWNERS[step.owner], {
          idempotency_key: this.claims[step.key] as string, payee: PAYEE,
          amount: step.fen === 'all' ? this.wholes.get(whole) ?? 0 : step.fen,
        })
        return
      }
      case 'export':
        await exportPayouts({ ...on, accounts: [OWNERS.account] }, '2026-11', Infinity)
        return
      case 'mark': {
        const key = this.claims[step.key] as string
        await markWithdrawal(on, withdrawalId(secrets, OWNERS.account, on.mode, key), step.outcome)
        return
      }
      default:
        throw new Error(`${step.kind} is no step of books`)
    }
  }

  private async wrongOnes(among: readonly Order[]): Promise<string[]> {
    const found = await Promise.all(among.map((order) => wrong(this.ledger, order)))
    return found.flat()
  }

  private async leftInTrial(): Promise<string[]> {
    const balances = await Promise.all(MODES.map((mode) =>
      readBalances({ ledger: this.ledger, mode }, OWNERS.trial)))
    return balances.flatMap((one) => Object.entries(one)).flatMap(([book, balance]) =>
      (balance === 0 ? [] : [`the merged trial keeps ${balance} in ${book}`]))
  }

  private async noteBooks(mode: Mode): Promise<void> {
    const { ledger, note } = this
    for (const { status } of await readWithdrawals({ ledger, mode }, OWNERS.account, 100)) {
      note(`withdrawals ${status}`)
    }
    const entries = Object.keys(await ledger.hgetall(keys.posted(OWNERS.account, mode)))
    for (const id of entries) {
      note(`entries of ${mode}`)
      if (/^debt:.*:lots/.test(id)) note('debts that lots paid')
      if (id.startsWith('merge:')) note('commissions merged')
      if (id.endsWith(':reversed')) note('commissions reversed')
      if (id.endsWith(':settled')) note('commissions settled')
    }
    const debts = await ledger.zcard(keys.debts(OWNERS.account, mode))
    if (debts > 0) note('histories that end in debt')
  }
}

const earned = (
  { owner, mode, amount, state, version, isLine, month, paidAt }: Order,
): Earned => ({
  account: OWNERS[owner], mode, amount, state, paidAt, confirmedAt: endOf(month) - 1,
  ...(isLine && { version }),
})

const isExpected = (error: unknown): boolean => error instanceof Refusal
  && ['withdrawal_refused', 'idempotency_mismatch', 'not_found'].includes(error.error)

/** Whether the commission is where its order is, at the rate of the moment of its payment. */
async function wrong(ledger: RedisClient, order: Order): Promise<string[]> {
  const { state, amount, subject, owner, mode, paidAt, isLine } = order
  const books = { ledger, mode }
  // What came to the account is there; what a merge that was cut off has left, in the trial.
  const record = await lastRound(books, OWNERS.account, subject)
    ?? (owner === 'trial' ? await lastRound(books, OWNERS.trial, subject) : undefined)
  const is = record?.state === 'settled' ? 'confirmed' : record?.state ?? 'none'
  const isBack = isLine && state === 'pending' && is === 'confirmed'
  // Taken back, since it was not paid after all.
  if (state === 'none' && is === 'reversed') return []
  if (is !== state && !isBack) return [`${subject} is ${is}, and should be ${state}`]
  if (!record || state === 'reversed') return []
  const holders = owner === 'trial' ? [OWNERS.trial, OWNERS.account] : [OWNERS.account]
  const rates = await Promise.all(holders.map(async (account) =>
    bpsAt(await ledger.hget(keys.account(account), 'terms'), paidAt)))
  const isRight = record.amount === amount && rates.includes(record.bps)
    && record.commission === commissionOf(amount, record.bps)
  return isRight ? [] : [`${subject}: ${JSON.stringify(record)} of ${amount} at ${rates}`]
}

async function lastRound(
  books: EarningsReader, account: string, subject: string,
): Promise<CommissionRecord | undefined> {
  const text = await readRecord(books, account, subject)
  const record = text === null ? undefined : readJson<CommissionRecord>(text)
  return record?.next === undefined ? record : await lastRound(books, account, record.next)
}

/** Shows that the audit sees what it should: fen that nobody earned. */
export const forge = (store: EarningsStore, account: string): Promise<unknown> =>
  postEntries(store, account, [{ id: 'order:forged:gift', legs: { platform: -5, pending: 5 } }])
