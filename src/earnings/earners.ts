/**
 * Who has commissions that wait for a settlement, by the month in which they were confirmed: so
 * that settling looks at these accounts and not at every key. An account is noted before its
 * posting.
 */
import { LRUCache } from 'lru-cache'
import { nowMs } from '../clock.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { defineScript } from '../redis/script.ts'
import type { Place } from './books.ts'
import { monthOf } from './month.ts'

const earnerNote = defineScript('earner-note', ['months', 'earners'], ['month', 'account'],
  (times: number) => times)

/** Noted by this process: an account earns many times in a month. */
const NOTED_MAX = 10_000
const noted = new WeakMap<object, LRUCache<string, true>>()

type Notes = Pick<Place, 'durable' | 'mode'>

export async function noteEarner(place: Notes, account: string, month: string): Promise<void> {
  const known = noted.get(place.durable) ?? new LRUCache<string, true>({ max: NOTED_MAX })
  noted.set(place.durable, known)
  const name = `${place.mode} ${month} ${account}`
  if (known.has(name)) return
  await note(place, account, month)
  known.set(name, true)
}

const note = ({ durable, mode }: Notes, account: string, month: string): Promise<number> =>
  durable.run(earnerNote, {
    months: keys.earningMonths(mode), earners: keys.earners(mode, month),
  }, { month, account })

/** Notes every account that waits for a settlement; looks at every key of the ledger once. */
export async function noteAllEarners(place: Place): Promise<number> {
  const month = monthOf(nowMs())
  let accounts = 0
  for await (const found of scanNames(place.ledger, scans.confirmed[place.mode])) {
    for (const account of found) {
      await note(place, account, month)
      accounts += 1
    }
  }
  return accounts
}
