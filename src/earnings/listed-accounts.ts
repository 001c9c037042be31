/**
 * Which accounts the end of a month has to look at, by month: those with commissions that wait for
 * a settlement, and those with withdrawals. So that neither looks at every key. An account is noted
 * before its posting.
 */
import { LRUCache } from 'lru-cache'
import { nowMs } from '../contract/time.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { defineScript } from '../redis/script.ts'
import type { Mode } from '../contract/money.ts'
import type { EarningsReader, EarningsStore } from './books.ts'
import { monthOf } from './month.ts'

const earnerNote = defineScript('earner-note', ['months', 'earners'], ['month', 'account'],
  (times: number) => times)

interface List {
  readonly months: (mode: Mode) => string
  readonly accounts: (mode: Mode, month: string) => string
  /** Set when it has every account that there was before there was a list. */
  readonly noted: (mode: Mode) => string
}

export const LISTS = {
  earners: {
    months: keys.earningMonths, accounts: keys.earners, noted: keys.earnersNoted,
  },
  withdrawals: {
    months: keys.payoutMonths, accounts: keys.payoutAccounts, noted: keys.payoutsNoted,
  },
} as const satisfies Record<string, List>
type ListName = keyof typeof LISTS

/** Noted by this process: an account earns many times in a month. */
const NOTED_MAX = 10_000
const noted = new WeakMap<object, LRUCache<string, true>>()
const PAGE = 100

type Notes = Pick<EarningsStore, 'durable' | 'mode'>

export async function noteAccount(
  store: Notes, list: ListName, account: string, month: string,
): Promise<void> {
  const known = noted.get(store.durable) ?? new LRUCache<string, true>({ max: NOTED_MAX })
  noted.set(store.durable, known)
  const name = `${list} ${store.mode} ${month} ${account}`
  if (known.has(name)) return
  await noteAgain(store, list, account, month)
  known.set(name, true)
}

/** Whether it was noted before or not. */
export const noteAgain = (
  { durable, mode }: Notes, list: ListName, account: string, month: string,
): Promise<number> => durable.run(earnerNote, {
  months: LISTS[list].months(mode), earners: LISTS[list].accounts(mode, month),
}, { month, account })

/** Accounts of these months in batches; one may come again. */
export async function* accountsOf(
  { ledger, mode }: EarningsReader, list: ListName, months: Iterable<string>,
): AsyncGenerator<string[]> {
  for (const month of months) {
    let cursor = '0'
    do {
      const [next, flat] = await ledger.hscan(
        LISTS[list].accounts(mode, month), cursor, 'COUNT', PAGE)
      yield flat.filter((_, index) => index % 2 === 0)
      cursor = next
    } while (cursor !== '0')
  }
}

/** Notes every account that waits for a settlement; looks at every key of the ledger once. */
export async function noteAllEarners(store: EarningsStore): Promise<number> {
  const month = monthOf(nowMs())
  let accounts = 0
  for await (const found of scanNames(store.ledger, scans.confirmed[store.mode])) {
    for (const account of found) {
      await noteAgain(store, 'earners', account, month)
      accounts += 1
    }
  }
  await store.ledger.set(keys.earnersNoted(store.mode), '1')
  return accounts
}
