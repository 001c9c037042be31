/**
 * Brings every commission to where its order is: what no event said, this walk says. One whose
 * order is not there at all, as after a failover that lost it, is taken back.
 */
import { MALL_NAMES } from '../../adapters/names.ts'
import { noteAllEarners } from '../earnings/listed-accounts.ts'
import { noteAllWithdrawals } from '../earnings/payouts.ts'
import type { Place } from '../earnings/books.ts'
import { bring } from '../earnings/commission.ts'
import { mallSubject, orderOf, orderSubject, readJson, type Commission }
  from '../earnings/records.ts'
import { earnedByLine, earnedByOrder } from '../earnings/sources.ts'
import { MODES } from '../contract/money.ts'
import { ledger as keys, mallLines, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'

const AT_ONCE = 64

export interface EarningsRebuilt {
  orders: number
  lines: number
  /** Commissions of orders that are not there. */
  orphans: number
}

/** Safe beside the workers, and to repeat. */
export async function rebuildEarnings(
  place: Omit<Place, 'mode'>,
  onProgress: (done: number) => void = () => {},
): Promise<EarningsRebuilt> {
  const { ledger, durable: { read } } = place
  const rebuilt = { orders: 0, lines: 0, orphans: 0 }
  for await (const orderNos of scanNames(ledger, scans.orders)) {
    await inParts(orderNos, (orderNo) =>
      bring(place, orderSubject(orderNo), () => earnedByOrder(read, orderNo)))
    rebuilt.orders += orderNos.length
    onProgress(rebuilt.orders)
  }
  for (const source of MALL_NAMES) {
    for await (const lines of scanNames(ledger, mallLines(source))) {
      await inParts(lines, (line) =>
        bring(place, mallSubject(source, line), () => earnedByLine(read, source, line)))
      rebuilt.lines += lines.length
    }
  }
  for (const mode of MODES) {
    rebuilt.orphans += await bringOrphans({ ...place, mode })
    await noteAllEarners({ ...place, mode })
    await noteAllWithdrawals({ ...place, mode })
  }
  return rebuilt
}

async function bringOrphans(place: Place): Promise<number> {
  const { ledger, mode, durable: { read } } = place
  let orphans = 0
  for await (const accounts of scanNames(ledger, scans.earners[mode])) {
    for (const account of accounts) {
      for await (const orderNos of orphansOf(place, account)) {
        await inParts(orderNos, (orderNo) => bring(place, orderSubject(orderNo), async () =>
          await earnedByOrder(read, orderNo) ?? { account, mode, amount: 0, state: 'none' }))
        orphans += orderNos.length
      }
    }
  }
  return orphans
}

/** Orders that are not there and have a commission that was not taken back. */
async function* orphansOf(
  { ledger, mode, durable: { read } }: Place, account: string,
): AsyncGenerator<string[]> {
  for (let cursor = '0'; ;) {
    const [next, flat] = await ledger.hscan(keys.records(account, mode), cursor, 'COUNT', AT_ONCE)
    const orderNos = new Set(flat.flatMap((field, index) => {
      if (index % 2 === 1 || !field.startsWith('order:')) return []
      const { state } = readJson<Commission>(flat[index + 1] ?? '{}')
      return state === 'reversed' || state === 'moved' ? [] : [orderOf(field)]
    }))
    const found = await Promise.all([...orderNos].map(async (orderNo) =>
      (await earnedByOrder(read, orderNo) ? [] : [orderNo])))
    if (found.flat().length > 0) yield found.flat()
    cursor = next
    if (cursor === '0') return
  }
}

async function inParts(
  names: readonly string[], work: (name: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map(work))
  }
}
