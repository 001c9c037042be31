/** One history's account, trial and orders over a real ledger, and what must be true of them. */
import type fc from 'fast-check'
import { auditAccount } from '../../earnings/audit.ts'
import {
  post, readBalances, readRecord, type Place, type ReadPlace,
} from '../../earnings/books.ts'
import { bring, type Earned } from '../../earnings/commission.ts'
import { giveBack } from '../../earnings/lots.ts'
import { merge } from '../../earnings/merge.ts'
import { exportPayouts } from '../../earnings/payouts.ts'
import { readJson, type Commission } from '../../earnings/records.ts'
import { settleAccount } from '../../earnings/settle.ts'
import { bpsAt, commissionOf, setTerms } from '../../earnings/terms.ts'
import {
  listWithdrawals, markWithdrawal, requestWithdrawal, withdrawalId, type WithdrawalPlace,
} from '../../earnings/withdrawals.ts'
import { Refusal } from '../../contract/errors.ts'
import { createSecrets, type Secrets } from '../../secrets/derive.ts'
import { MODES, type Mode } from '../../contract/money.ts'
import type { RedisClient } from '../../redis/connect.ts'
import type { Durable } from '../../redis/durable.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { createCrashes, Crash } from './crashes.ts'
import { KEYS, ORDERS, type Owner, type Planned, type State, type Step } from './steps.ts'
import { createTimeline, slowed } from './timeline.ts'

export interface Ledger {
  readonly ledger: RedisClient
  readonly durable: Durable
}

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
  heard: number
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
  place: Ledger, plan: readonly Planned[], scheduler: fc.Scheduler, note: Note = () => {},
): Promise<string[]> {
  const world = await createWorld(place, scheduler, note)
  for (let at = 0; at < plan.length; at += 1) {
    const together = [plan[at] as Planned]
    while (together.at(-1)?.isTogether && plan[at + 1] && !isAlone(together.at(-1), plan[at + 1])) {
      together.push(plan[at += 1] as Planned)
    }
    await world.run(together)
  }
  // What a later event mends must be right before it, too.
  const during = [...await world.audit(), ...await world.compareWithHeard()]
  await world.complete()
  await world.tell()
  return [...during, ...await world.audit(), ...await world.compareWithOrders()]
}

/** Consumers see nothing that a failover can still take back, so none is at work meanwhile. */
const isAlone = (...planned: readonly (Planned | undefined)[]): boolean =>
  planned.some((one) => one?.step.kind === 'lost')

const RANKS = { none: 0, pending: 1, confirmed: 2, reversed: 2 } as const

async function createWorld(place: Ledger, scheduler: fc.Scheduler, note: Note) {
  const { ledger } = place
  const timeline = createTimeline(place, scheduler)
  const crashes = createCrashes(timeline.durable)
  const owners = { account: 'ac_account', trial: 'tr_trial' }
  await ledger.flushall()
  await ledger.hset(keys.account(owners.trial), 'kind', 'trial')
  await ledger.hset(keys.account(owners.account), 'kind', 'account')
  const claims = Array.from({ length: KEYS }, (_, index) => `claim-${index}`)
  const wholes = new Map<string, number>()
  let isMerging = false
  let isMerged = false
  const orders = Array.from({ length: ORDERS }, (_, index): Order => ({
    subject: index % 3 === 2 ? `mall_b:${index}` : `order:${index}`,
    owner: index % 2 ? 'trial' : 'account', isLine: index % 3 === 2,
    mode: index < ORDERS / 2 ? 'sandbox' : 'live',
    state: 'none', amount: 0, version: 0, paidAt: 0, heard: 0, month: index % 3,
  }))

  const earned = (
    { owner, mode, amount, state, version, isLine, month, paidAt }: Order,
  ): Earned => ({
    account: owners[owner], mode, amount, state, paidAt, confirmedAt: endOf(month) - 1,
    ...(isLine && { version }),
  })

  function change(order: Order, { to, fen, aheadMs = 0 }: Step & { kind: 'order' }): void {
    if (order.paidAt === 0) order.paidAt = timeline.now() + aheadMs
    const { isLine, state } = order
    const isBack = state === 'reversed' || (state === 'confirmed' && to === 'pending')
    if (!isLine && (isBack || state === to)) return
    if (state === 'none' || isLine) order.amount = fen
    order.state = to
    order.version += 1
  }

  function setBack(order: Order, to: 'none' | 'pending'): void {
    if (order.isLine || RANKS[to] >= RANKS[order.state]) return
    order.state = to
    order.version += 1
    note('orders set back')
  }

  async function act(step: Step, on: Ledger): Promise<void> {
    switch (step.kind) {
      case 'order': return change(orders[step.order] as Order, step)
      case 'lost': return setBack(orders[step.order] as Order, step.to)
      case 'deliver': {
        const order = orders[step.order] as Order
        let version = 0
        await bring(on, order.subject, async () => {
          const read = earned(order)
          version = order.version
          await timeline.roundTrips(step.readLag ?? 0)
          return read
        })
        order.heard = Math.max(order.heard, version)
        return
      }
      case 'terms':
        await setTerms(on.durable, owners[step.owner], step.bps)
        return
      case 'merge':
        isMerging = true
        await merge(on, owners.trial, owners.account)
        isMerged = true
        return
      default: {
        // In both books, whatever comes of it in the first.
        const ends = []
        for (const mode of MODES) {
          ends.push(...await Promise.allSettled([actOnBooks(step, { ...on, secrets, mode })]))
        }
        const failed = ends.find((end) => end.status === 'rejected')
        if (failed) throw failed.reason
      }
    }
  }

  async function actOnBooks(step: Step, on: WithdrawalPlace & Ledger): Promise<void> {
    switch (step.kind) {
      case 'settle': {
        await settleAccount(on, owners.trial, endOf(step.month))
        await settleAccount(on, owners.account, endOf(step.month))
        return
      }
      case 'withdraw': {
        const { withdrawable } = await readBalances(on, owners[step.owner])
        const whole = `${on.mode} ${step.key}`
        // Whoever repeats a request sends the same one.
        if (step.fen === 'all' && !wholes.has(whole)) wholes.set(whole, withdrawable)
        await requestWithdrawal(on, owners[step.owner], {
          idempotency_key: claims[step.key] as string, payee: PAYEE,
          amount: step.fen === 'all' ? wholes.get(whole) ?? 0 : step.fen,
        })
        return
      }
      case 'export': {
        await exportPayouts({ ...on, accounts: [owners.account] }, '2026-11', Infinity)
        return
      }
      case 'mark': {
        const key = claims[step.key] as string
        const id = withdrawalId(secrets, owners.account, on.mode, key)
        await markWithdrawal(on, id, step.outcome)
        return
      }
      default:
        throw new Error(`${step.kind} is no step of books`)
    }
  }

  async function run({ step, crash, writeLag, times, pauseMs }: Planned): Promise<void> {
    timeline.pass(pauseMs)
    for (let time = 0; time < times; time += 1) {
      // Only the first attempt is cut off: whoever retries gets through.
      const own = crashes.wrap(time === 0 ? crash : undefined)
      const on = { ledger: timeline.ledger, durable: slowed(own, timeline, writeLag) }
      await act(step, on).catch((error: unknown) => {
        if (!(error instanceof Crash || isExpected(error))) throw error
        note(error instanceof Crash ? 'steps cut off' : 'steps refused')
      })
    }
  }

  return {
    /** All of them at once, in the order that the scheduler chooses. */
    run: (together: readonly Planned[]) =>
      timeline.play(() => Promise.all(together.map(run))),
    /** What was cut off is repeated by whoever had asked for it, and every event comes at last. */
    complete: () => timeline.play(async () => {
      if (isMerging) await merge(timeline, owners.trial, owners.account)
      await Promise.all(orders.map((order) =>
        bring(timeline, order.subject, async () => earned(order))))
      for (const mode of MODES) {
        const books = { ...timeline, mode }
        for (const { withdrawal_id: id } of await listWithdrawals(books, owners.account, 100)) {
          await giveBack(books, owners.account, id)
        }
      }
    }),
    async tell(): Promise<void> {
      for (const mode of MODES) await tellBooks(mode)
    },
    async audit(): Promise<string[]> {
      const audits = await Promise.all(Object.values(owners).flatMap((one) =>
        MODES.map((mode) => auditAccount({ ledger, mode }, one))))
      return audits.flatMap(({ violations }) =>
        violations.map(({ invariant, detail }) => `${invariant}: ${detail}`))
    },
    /** Of orders that a consumer has dealt with as they are; and what a whole merge has left. */
    async compareWithHeard(): Promise<string[]> {
      const heard = orders.filter(({ heard, version }) => version > 0 && heard === version)
      return [...await wrongOnes(heard), ...isMerged ? await leftInTrial() : []]
    },
    async compareWithOrders(): Promise<string[]> {
      return [...await wrongOnes(orders), ...isMerging ? await leftInTrial() : []]
    },
  }

  async function wrongOnes(among: readonly Order[]): Promise<string[]> {
    const found = await Promise.all(among.map((order) => wrong(ledger, owners, order)))
    return found.flat()
  }

  async function leftInTrial(): Promise<string[]> {
    const both = await Promise.all(MODES.map((mode) =>
      readBalances({ ledger, mode }, owners.trial)))
    return both.flatMap((balances) => Object.entries(balances)).flatMap(([book, balance]) =>
      (balance === 0 ? [] : [`the merged trial keeps ${balance} in ${book}`]))
  }

  async function tellBooks(mode: Mode): Promise<void> {
    for (const { status } of await listWithdrawals({ ledger, mode }, owners.account, 100)) {
      note(`withdrawals ${status}`)
    }
    const entries = Object.keys(await ledger.hgetall(keys.posted(owners.account, mode)))
    for (const id of entries) {
      note(`entries of ${mode}`)
      if (/^debt:.*:lots/.test(id)) note('debts that lots paid')
      if (id.startsWith('merge:')) note('commissions merged')
      if (id.endsWith(':reversed')) note('commissions reversed')
      if (id.endsWith(':settled')) note('commissions settled')
    }
    const debts = await ledger.zcard(keys.debts(owners.account, mode))
    if (debts > 0) note('histories that end in debt')
  }
}

const isExpected = (error: unknown): boolean => error instanceof Refusal
  && ['withdrawal_refused', 'idempotency_mismatch', 'not_found'].includes(error.error)

type Owners = Readonly<Record<Owner, string>>

/** Whether the commission is where its order is, at the rate of the moment of its payment. */
async function wrong(
  ledger: RedisClient, owners: Owners, order: Order,
): Promise<string[]> {
  const { state, amount, subject, owner, mode, paidAt, isLine } = order
  const place = { ledger, mode }
  // What came to the account is there; what a merge that was cut off has left, in the trial.
  const record = await lastRound(place, owners.account, subject)
    ?? (owner === 'trial' ? await lastRound(place, owners.trial, subject) : undefined)
  const is = record?.state === 'settled' ? 'confirmed' : record?.state ?? 'none'
  const isBack = isLine && state === 'pending' && is === 'confirmed'
  // Taken back, since it was not paid after all.
  if (state === 'none' && is === 'reversed') return []
  if (is !== state && !isBack) return [`${subject} is ${is}, and should be ${state}`]
  if (!record || state === 'reversed') return []
  const holders = owner === 'trial' ? [owners.trial, owners.account] : [owners.account]
  const rates = await Promise.all(holders.map(async (account) =>
    bpsAt(await ledger.hget(keys.account(account), 'terms'), paidAt)))
  const isRight = record.amount === amount && rates.includes(record.bps)
    && record.commission === commissionOf(amount, record.bps)
  return isRight ? [] : [`${subject}: ${JSON.stringify(record)} of ${amount} at ${rates}`]
}

async function lastRound(
  place: ReadPlace, account: string, subject: string,
): Promise<Commission | undefined> {
  const text = await readRecord(place, account, subject)
  const record = text === null ? undefined : readJson<Commission>(text)
  return record?.next === undefined ? record : await lastRound(place, account, record.next)
}

/** Shows that the audit sees what it should: fen that nobody earned. */
export const forge = (place: Place, account: string): Promise<unknown> =>
  post(place, account, [{ id: 'order:forged:gift', legs: { platform: -5, pending: 5 } }])
