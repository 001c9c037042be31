/**
 * Receivers in the archive, sealed anew under the first of SECRET. Files are never changed: their
 * orders go into a new one, and the ledger is told of it order by order. Killed in between, some
 * orders are read from the one and some from the other; the next run does the rest.
 */
import { partitionOfOrder } from '../contract/ids.ts'
import { nowMs } from '../contract/time.ts'
import type { ArchivedOrder, ArchiveFileFacts } from '../orders/archive/archive.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { ArchivingStores } from './order-archive.ts'
import { fieldReplace } from './reseal.ts'

export interface ResealedFile {
  /** No order of the ledger is in it any more: only backups from before may need it. */
  readonly replaced: string
  readonly by?: string
  readonly orders: number
}

const AT_ONCE = 64

export async function* resealArchive(
  place: ArchivingStores & { readonly secrets: Secrets },
): AsyncGenerator<ResealedFile> {
  const [first] = place.secrets.ids
  for (const facts of await place.archive.files()) {
    if (Object.keys(facts.sealed).every((id) => id === first)) continue
    yield await resealFile(place, facts)
  }
}

async function resealFile(
  { ledger, durable, archive, secrets }: ArchivingStores & { readonly secrets: Secrets },
  facts: ArchiveFileFacts,
): Promise<ResealedFile> {
  const orders = await archive.readFile(facts)
  const befores = await runMany(ledger, orders.map(({ order_no }) =>
    ['hget', keys.order(partitionOfOrder(order_no) ?? 0, order_no), 'archived'] as const),
  ) as (string | null)[]
  const own = orders.flatMap((order, index) => {
    const before = befores[index]
    return before && archive.isIn(before, facts) ? [{ order: sealedAnew(order, secrets), before }]
      : []
  })
  if (own.length > 0) {
    const { facts: written, places } = await archive.write(own.map(({ order }) => order), nowMs())
    for (let from = 0; from < own.length; from += AT_ONCE) {
      await Promise.all(own.slice(from, from + AT_ONCE).map(({ order, before }, index) =>
        durable.run(fieldReplace, {
          hash: keys.order(partitionOfOrder(order.order_no) ?? 0, order.order_no),
        }, { field: 'archived', before, after: places[from + index] ?? '' })))
    }
    await archive.retire(facts)
    return { replaced: facts.file, by: written.file, orders: own.length }
  }
  await archive.retire(facts)
  return { replaced: facts.file, orders: 0 }
}

function sealedAnew(order: ArchivedOrder, secrets: Secrets): ArchivedOrder {
  const { receiver = '' } = order.order
  const seal = secrets.seal('receiver')
  const opened = seal.open(receiver, order.order_no)
  return { ...order, order: { ...order.order, receiver: seal.seal(opened, order.order_no) } }
}
