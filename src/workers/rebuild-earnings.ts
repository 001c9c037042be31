/** Brings every commission to where its order is: what no event said, this walk says. */
import { MALL_NAMES } from '../affiliate/settings.ts'
import { bring } from '../earnings/commission.ts'
import { mallSubject, orderSubject } from '../earnings/records.ts'
import { earnedByLine, earnedByOrder } from '../earnings/sources.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { mallLines, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'

const AT_ONCE = 64

export interface EarningsRebuilt {
  orders: number
  lines: number
}

/** Safe beside the workers, and to repeat. */
export async function rebuildEarnings(
  place: { ledger: RedisClient, durable: Pick<Durable, 'run' | 'read'> },
  onProgress: (done: number) => void = () => {},
): Promise<EarningsRebuilt> {
  const { ledger, durable: { read } } = place
  const rebuilt = { orders: 0, lines: 0 }
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
  return rebuilt
}

async function inParts(
  names: readonly string[], work: (name: string) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map(work))
  }
}
