/** One history's account, trial and orders over a real ledger, and what must be true of them. */
import { randomUUID } from 'node:crypto'
import { auditAccount } from '../../earnings/audit.ts'
import { post, readBalances, readRecord } from '../../earnings/books.ts'
import { bring, type Earned } from '../../earnings/commission.ts'
import { giveBack } from '../../earnings/lots.ts'
import { merge } from '../../earnings/merge.ts'
import { exportPayouts } from '../../earnings/payouts.ts'
import { readJson, type Commission } from '../../earnings/records.ts'
import { settleAccount } from '../../earnings/settle.ts'
import { BPS, commissionOf } from '../../earnings/terms.ts'
import {
  listWithdrawals, markWithdrawal, requestWithdrawal,
} from '../../earnings/withdrawals.ts'
import { Refusal } from '../../errors.ts'
import { createSecrets, type Secrets } from '../../ids.ts'
import type { RedisClient } from '../../redis/connect.ts'
import type { Durable } from '../../redis/durable.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { createCrashes, Crash } from './crashes.ts'
import { KEYS, ORDERS, type Owner, type Planned, type State, type Step } from './steps.ts'

export interface Ledger {
  readonly ledger: RedisClient
  readonly durable: Durable
}

interface Order {
  readonly subject: string
  readonly owner: Owner
  /** Only a platform's line comes back, and only its amount changes. */
  readonly isLine: boolean
  state: State | 'none'
  amount: number
  version: number
  readonly month: number
}

const secrets: Secrets = createSecrets('a-secret-of-random-earnings')
const PAYEE = { kind: 'bank_card', card: '4111111111111111', holder: '王小明' } as const
/** Month n of a history ends here; orders are confirmed in one of the months. */
const endOf = (month: number): number => 1_000_000 * (month + 1)

/** What came about in histories: one that never does anything proves nothing. */
export type Note = (what: string) => void

/** Everything that is wrong afterwards. */
export async function playHistory(
  place: Ledger, plan: readonly Planned[], note: Note = () => {},
): Promise<string[]> {
  const world = await createWorld(place, note)
  for (let at = 0; at < plan.length; at += 1) {
    const together = [plan[at] as Planned]
    while (together.at(-1)?.isTogether && plan[at + 1]) together.push(plan[at += 1] as Planned)
    await Promise.all(together.map((one) => world.run(one)))
  }
  const during = await world.audit()
  await world.complete()
  await world.tell()
  return [...during, ...await world.audit(), ...await world.compareWithOrders()]
}

async function createWorld({ ledger, durable }: Ledger, note: Note) {
  const crashes = createCrashes(durable)
  const owners = { account: `ac_${randomUUID()}`, trial: `tr_${randomUUID()}` }
  await ledger.hset(keys.account(owners.trial), 'kind', 'trial')
  const rates = new Set([BPS])
  const claims = Array.from({ length: KEYS }, () => randomUUID())
  const wholes = new Map<number, number>()
  let isMerging = false
  const orders = Array.from({ length: ORDERS }, (_, index): Order => ({
    subject: index % 3 === 2 ? `mall_b:${randomUUID()}` : `order:${randomUUID()}`,
    owner: index % 2 ? 'trial' : 'account', isLine: index % 3 === 2,
    state: 'none', amount: 0, version: 0, month: index % 3,
  }))

  const earned = ({ owner, amount, state, version, isLine, month }: Order): Earned => ({
    account: owners[owner], amount, state, confirmedAt: endOf(month) - 1,
    ...(isLine && { version }),
  })

  function change(order: Order, to: State, fen: number): void {
    const { isLine, state } = order
    const isBack = state === 'reversed' || (state === 'confirmed' && to === 'pending')
    if (!isLine && (isBack || state === to)) return
    if (state === 'none' || isLine) order.amount = fen
    order.state = to
    order.version += 1
  }

  async function act(step: Step, on: Ledger): Promise<void> {
    const withdrawal = { ...on, secrets }
    switch (step.kind) {
      case 'order': return change(orders[step.order] as Order, step.to, step.fen)
      case 'deliver': {
        const order = orders[step.order] as Order
        return await bring(on, order.subject, async () => earned(order))
      }
      case 'terms':
        rates.add(step.bps)
        await ledger.hset(keys.account(owners[step.owner]), 'bps', step.bps)
        return
      case 'merge':
        isMerging = true
        return await merge(on, owners.trial, owners.account)
      case 'settle': {
        await settleAccount(on, owners.trial, endOf(step.month))
        await settleAccount(on, owners.account, endOf(step.month))
        return
      }
      case 'withdraw': {
        const { withdrawable } = await readBalances(ledger, owners[step.owner])
        // Whoever repeats a request sends the same one.
        if (step.fen === 'all' && !wholes.has(step.key)) wholes.set(step.key, withdrawable)
        await requestWithdrawal(withdrawal, owners[step.owner], {
          idempotency_key: claims[step.key] as string, payee: PAYEE,
          amount: step.fen === 'all' ? wholes.get(step.key) ?? 0 : step.fen,
        })
        return
      }
      case 'export': {
        await exportPayouts({ ...withdrawal, accounts: [owners.account] }, '2026-11', Infinity)
        return
      }
      case 'mark': {
        const id = secrets.id('withdrawal', owners.account, claims[step.key] as string)
        await markWithdrawal(on, `wd_${id}_${owners.account}`, step.outcome)
      }
    }
  }

  return {
    async run({ step, crash, times }: Planned): Promise<void> {
      for (let time = 0; time < times; time += 1) {
        // Only the first attempt is cut off: whoever retries gets through.
        const on = { ledger, durable: crashes.wrap(time === 0 ? crash : undefined) }
        await act(step, on).catch((error: unknown) => {
          if (!(error instanceof Crash || isExpected(error))) throw error
          note(error instanceof Crash ? 'steps cut off' : 'steps refused')
        })
      }
    },
    /** What was cut off is repeated by whoever had asked for it, and every event comes at last. */
    async complete(): Promise<void> {
      const on = { ledger, durable }
      if (isMerging) await merge(on, owners.trial, owners.account)
      await Promise.all(orders.map((order) =>
        bring(on, order.subject, async () => earned(order))))
      for (const { withdrawal_id: id } of await listWithdrawals(on, owners.account, 100)) {
        await giveBack(on, owners.account, id)
      }
    },
    async tell(): Promise<void> {
      for (const { status } of await listWithdrawals({ ledger }, owners.account, 100)) {
        note(`withdrawals ${status}`)
      }
      const entries = Object.keys(await ledger.hgetall(keys.posted(owners.account)))
      for (const id of entries) {
        note('entries')
        if (/^debt:.*:lots/.test(id)) note('debts that lots paid')
        if (id.startsWith('merge:')) note('commissions merged')
        if (id.endsWith(':reversed')) note('commissions reversed')
        if (id.endsWith(':settled')) note('commissions settled')
      }
      if (await ledger.zcard(keys.debts(owners.account)) > 0) note('histories that end in debt')
    },
    async audit(): Promise<string[]> {
      const audits = await Promise.all(Object.values(owners).map((one) =>
        auditAccount(ledger, one)))
      return audits.flatMap(({ violations }) =>
        violations.map(({ invariant, detail }) => `${invariant}: ${detail}`))
    },
    async compareWithOrders(): Promise<string[]> {
      const account = isMerging ? owners.account : undefined
      const found = await Promise.all(orders.map((order) =>
        wrong(ledger, account ?? owners[order.owner], order, rates)))
      const left = isMerging ? await readBalances(ledger, owners.trial) : {}
      return [...found.flat(), ...Object.entries(left).flatMap(([book, balance]) =>
        (balance === 0 ? [] : [`the merged trial keeps ${balance} in ${book}`]))]
    },
  }
}

const isExpected = (error: unknown): boolean => error instanceof Refusal
  && ['withdrawal_refused', 'idempotency_mismatch', 'not_found'].includes(error.error)

/** Whether the commission is where its order is, at one of the rates that there were. */
async function wrong(
  ledger: RedisClient, account: string, order: Order, rates: ReadonlySet<number>,
): Promise<string[]> {
  let text = await readRecord(ledger, account, order.subject)
  let record = text === null ? undefined : readJson<Commission>(text)
  while (record?.next !== undefined) {
    text = await readRecord(ledger, account, record.next)
    record = readJson<Commission>(text ?? '{}')
  }
  const { state, amount } = order
  const is = record?.state === 'settled' ? 'confirmed' : record?.state ?? 'none'
  const isBack = order.isLine && state === 'pending' && is === 'confirmed'
  if (is !== state && !isBack) return [`${order.subject} is ${is}, and should be ${state}`]
  if (!record || state === 'reversed') return []
  const isRight = record.amount === amount && rates.has(record.bps)
    && record.commission === commissionOf(amount, record.bps)
  return isRight ? [] : [`${order.subject}: ${JSON.stringify(record)} of ${amount}`]
}

/** Shows that the audit sees what it should: fen that nobody earned. */
export const forge = (place: Ledger, account: string): Promise<unknown> =>
  post(place, account, [{ id: `order:${randomUUID()}:gift`, legs: { platform: -5, pending: 5 } }])
