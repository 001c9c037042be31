/**
 * Settles each month when it is over, in China's time by the ledger's clock; months that passed
 * while no node ran are caught up. `agentmall settle` does the same by hand.
 */
import { monotonicMs } from '../contract/time.ts'
import { noteAllEarners } from '../earnings/listed-accounts.ts'
import { monthBounds, monthOf } from '../earnings/month.ts'
import { settleAccount } from '../earnings/lots.ts'
import type { EarningsStore } from '../earnings/books.ts'
import type { Logger } from '../log.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { isTransient } from './dead-letters.ts'
import type { Worker } from './lease.ts'

export interface SettlementOptions extends EarningsStore {
  readonly durable: Pick<Durable, 'run' | 'read' | 'send'>
  readonly log: Logger
  /** Called when something of an account was settled; never rejects. */
  readonly onSettled?: (account: string) => Promise<void>
  readonly everyMs?: number
  readonly tickMs?: number
}

const EVERY_MS = 60_000
/** A tick ends soon after it, long before its lease. */
const TICK_MS = 2000
/** Of one account in a row: a few hundred commissions each. */
const BATCHES = 10
const PAGE = 100
/** What nodes with other clocks confirmed is posted by then: the month's list is dropped. */
const KEPT_MS = 86_400_000
/** Until then the list is gone through again at this pace. */
const AGAIN_MS = 3_600_000

/** Where going through a month's accounts has got to. */
interface Pass {
  readonly month: string
  readonly isLast: boolean
  cursor: string
  isListed: boolean
  readonly accounts: string[]
  settled: number
  fen: number
}

export class SettlementWorker implements Worker {
  readonly name: string
  readonly everyMs: number
  private readonly options: SettlementOptions
  private readonly tickMs: number
  private readonly passedAt = new Map<string, number>()
  private pass: Pass | undefined

  constructor(options: SettlementOptions) {
    this.options = options
    this.name = `settlement-${options.mode}`
    this.everyMs = options.everyMs ?? EVERY_MS
    this.tickMs = options.tickMs ?? TICK_MS
  }

  async begin(): Promise<void> {
    const { ledger, mode } = this.options
    this.pass = undefined
    if (await ledger.exists(keys.earnersNoted(mode)) === 1) return
    // Books from before there was a list.
    await noteAllEarners(this.options)
  }

  async tick(): Promise<boolean> {
    const began = monotonicMs()
    const now = await redisTimeMs(this.options.ledger)
    this.pass ??= await this.startPass(now)
    if (!this.pass) return false
    const { start = 0 } = monthBounds(monthOf(now)) ?? {}
    do {
      await this.settleNext(this.pass, start)
      if (this.pass.accounts.length === 0 && this.pass.isListed) {
        await this.endPass(this.pass, now)
        this.pass = undefined
      }
    } while (this.pass && monotonicMs() - began < this.tickMs)
    return true
  }

  /** Of the earliest month that is over and was not gone through lately. */
  private async startPass(now: number): Promise<Pass | undefined> {
    const { ledger, mode } = this.options
    const months = await ledger.smembers(keys.earningMonths(mode))
    const month = months.toSorted().find((one) =>
      one < monthOf(now) && now - (this.passedAt.get(one) ?? -Infinity) >= AGAIN_MS)
    if (month === undefined) return undefined
    const isLast = now >= (monthBounds(month)?.end ?? 0) + KEPT_MS
    return { month, isLast, cursor: '0', isListed: false, accounts: [], settled: 0, fen: 0 }
  }

  /** Some lots of one account. */
  private async settleNext(pass: Pass, end: number): Promise<void> {
    const { ledger, mode, log, onSettled } = this.options
    if (pass.accounts.length === 0) {
      const [cursor, found] = await ledger.hscan(
        keys.earners(mode, pass.month), pass.cursor, 'COUNT', PAGE)
      pass.cursor = cursor
      pass.isListed = cursor === '0'
      pass.accounts.push(...found.filter((_, index) => index % 2 === 0))
    }
    const account = pass.accounts.at(-1)
    if (account === undefined) return
    const { entries, fen, hasMore } = await settleAccount(this.options, account, end, BATCHES)
      .catch((error: unknown) => {
        if (isTransient(error)) throw error
        // One whose books are broken keeps no other from its settlement; `verify` names it.
        log.error({ account, error: (error as Error).message }, 'an account was not settled')
        return { entries: 0, fen: 0, hasMore: false }
      })
    pass.settled += entries
    pass.fen += fen
    if (entries > 0) await onSettled?.(account)
    if (!hasMore) pass.accounts.pop()
  }

  private async endPass({ month, isLast, settled, fen }: Pass, now: number): Promise<void> {
    const { durable, mode, log } = this.options
    this.passedAt.set(month, now)
    if (settled > 0) log.info({ mode, month, entries: settled, fen }, 'month settled')
    if (!isLast) return
    await durable.send('del', keys.earners(mode, month))
    await durable.send('srem', keys.earningMonths(mode), month)
    this.passedAt.delete(month)
  }
}
