/**
 * Settles each month when it is over, in China's time by the ledger's clock; months that passed
 * while no node ran are caught up. `agentmall settle` does the same by hand.
 */
import { monotonicMs } from '../contract/time.ts'
import { noteAllEarners } from '../earnings/listed-accounts.ts'
import { boundsOf, monthOf } from '../earnings/month.ts'
import { settleAccount } from '../earnings/settle.ts'
import type { Place } from '../earnings/books.ts'
import type { Logger } from '../log.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { isTrouble } from './aside.ts'
import type { Worker } from './lease.ts'

export interface SettlementOptions extends Place {
  readonly durable: Pick<Durable, 'run' | 'read' | 'send'>
  readonly log: Logger
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

export function settlementWorker(options: SettlementOptions): Worker {
  const { ledger, durable, mode, log, everyMs = EVERY_MS, tickMs = TICK_MS } = options
  const passedAt = new Map<string, number>()
  let pass: Pass | undefined

  /** The earliest month that is over and was not gone through lately. */
  async function begin(now: number): Promise<Pass | undefined> {
    const months = await ledger.smembers(keys.earningMonths(mode))
    const month = months.toSorted().find((one) =>
      one < monthOf(now) && now - (passedAt.get(one) ?? -Infinity) >= AGAIN_MS)
    if (month === undefined) return undefined
    const isLast = now >= (boundsOf(month)?.end ?? 0) + KEPT_MS
    return { month, isLast, cursor: '0', isListed: false, accounts: [], settled: 0, fen: 0 }
  }

  async function goOn(current: Pass, end: number): Promise<void> {
    if (current.accounts.length === 0) {
      const [cursor, found] = await ledger.hscan(
        keys.earners(mode, current.month), current.cursor, 'COUNT', PAGE)
      current.cursor = cursor
      current.isListed = cursor === '0'
      current.accounts.push(...found.filter((_, index) => index % 2 === 0))
    }
    const account = current.accounts.at(-1)
    if (account === undefined) return
    const { entries, fen, hasMore } = await settleAccount(options, account, end, BATCHES)
      .catch((error: unknown) => {
        if (isTrouble(error)) throw error
        // One whose books are broken keeps no other from its settlement; `verify` names it.
        log.error({ account, error: (error as Error).message }, 'an account was not settled')
        return { entries: 0, fen: 0, hasMore: false }
      })
    current.settled += entries
    current.fen += fen
    if (!hasMore) current.accounts.pop()
  }

  async function end({ month, isLast, settled, fen }: Pass, now: number): Promise<void> {
    passedAt.set(month, now)
    if (settled > 0) log.info({ mode, month, entries: settled, fen }, 'month settled')
    if (!isLast) return
    await durable.send('del', keys.earners(mode, month))
    await durable.send('srem', keys.earningMonths(mode), month)
    passedAt.delete(month)
  }

  return {
    name: `settlement-${mode}`,
    everyMs,
    async begin() {
      pass = undefined
      if (await ledger.exists(keys.earnersNoted(mode)) === 1) return
      // Books from before there was a list.
      await noteAllEarners(options)
    },
    async tick() {
      const began = monotonicMs()
      const now = await redisTimeMs(ledger)
      pass ??= await begin(now)
      if (!pass) return false
      const { start = 0 } = boundsOf(monthOf(now)) ?? {}
      do {
        await goOn(pass, start)
        if (pass.accounts.length === 0 && pass.isListed) {
          await end(pass, now)
          pass = undefined
        }
      } while (pass && monotonicMs() - began < tickMs)
      return true
    },
  }
}
