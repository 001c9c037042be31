/**
 * One partition as it stood at one moment, although orders go on: what moved while it was read is
 * read again. The outbox tells what moved, since every change appends to it in its own call.
 */
import type { RedisClient } from '../redis/connect.ts'
import { isStatusIndexBuilt } from '../orders/by-status.ts'
import { ledger as keys } from '../redis/keys.ts'
import { replyValues } from '../redis/replies.ts'
import { outboxEvent, STREAM_START, type OutboxEvent } from '../redis/streams.ts'
import { parseDeadLetter, type DeadLetter } from '../workers/dead-letters.ts'
import { ORDER_EFFECTS } from '../workers/order-effects.ts'
import { modeOf, type Mode } from '../contract/money.ts'
import { aftersalesOf, type AftersaleRecord } from '../orders/aftersale-record.ts'
import { readArchived, type OrderArchive } from '../orders/archive/archive.ts'
import { paymentsOf, type PaymentRecord } from '../orders/payments.ts'
import type { OrderEvent } from '../orders/record.ts'
import type { AftersaleStatus, AftersaleType, Status } from '../orders/states.ts'
import { sealedUnder } from '../secrets/seal.ts'

export interface PartitionView {
  readonly partition: number
  /** Units by product id. */
  readonly stock: ReadonlyMap<number, number>
  readonly supplied: ReadonlyMap<number, number>
  /** Times by order number. */
  readonly unpaid: ReadonlyMap<string, number>
  readonly due: ReadonlyMap<string, number>
  readonly afterDue: ReadonlyMap<string, number>
  /** Times by order number and agent. */
  readonly fading: ReadonlyMap<string, number>
  /** Units in unpaid orders of trial keys, by product id. */
  readonly trialHeld: ReadonlyMap<number, number>
  /** Scores by order number; undefined where older code left no index. */
  readonly byStatus: ReadonlyMap<string, number> | undefined
  /** Last outbox id by consumer. */
  readonly progress: ReadonlyMap<string, string>
  readonly lastId: string
  /** Events whose effects are known to be missing. */
  readonly aside: readonly DeadLetter[]
}

interface PartitionReading {
  readonly view: PartitionView
  /** Orders and products that moved while they were read: nothing is said about them. */
  readonly moving: { readonly orders: ReadonlySet<string>, readonly products: ReadonlySet<number> }
}

/** Whether the effects of all that happened up to this time (ms) are done, or set aside. */
export function isPast({ progress, lastId }: PartitionView, at: number): boolean {
  const place = progress.get(ORDER_EFFECTS)
  // Of several entries in the place's millisecond it may not have seen all.
  return place !== undefined && (place === lastId || at < Number(place.split('-')[0]))
}

/** The place in the outbox was trimmed away: orders may have come that nobody told us of. */
export class CursorLost extends Error {}

const ORDERS_AT_ONCE = 100
const ENTRIES_MAX = 2000
/** With a partition that never rests some of it stays unsaid; the next run sees it. */
const ROUNDS_MAX = 20

export interface StoredOrders {
  readonly ledger: RedisClient
  /** Where orders are that have left it. */
  readonly archive?: OrderArchive | undefined
}

/**
 * `see` gets every order as it stands, again when it moved; undefined when there is none.
 * `from` is a place in the outbox before `orderNos` were collected.
 */
export async function readPartition(
  { ledger, archive }: StoredOrders, partition: number, orderNos: readonly string[], from: string,
  see: (orders: readonly (readonly [string, StoredOrder | undefined])[], view: PartitionView)
  => Promise<void>,
): Promise<PartitionReading> {
  let place = from
  let pending = new Set(orderNos)
  let moving = new Set<string>()
  let products = new Set<number>()
  for (let round = 1; ; round += 1) {
    // Short, so that little moves between the view and the look back.
    const { view, events } = await readView(ledger, partition, place)
    for (const { orderNo } of events) if (orderNo !== undefined) pending.add(orderNo)
    place = view.lastId
    await inChunks([...pending], async (chunk) => {
      const orders = await readStoredOrders({ ledger, archive }, partition, chunk)
      await see(chunk.map((orderNo, index) => [orderNo, orders[index]] as const), view)
    })
    const since = await entriesAfter(ledger, partition, place)
    moving = new Set(since.flatMap(({ orderNo }) => orderNo ?? []))
    products = new Set(since.map(({ productId }) => productId))
    if (since.length === 0 || round === ROUNDS_MAX) {
      return { view, moving: { orders: moving, products } }
    }
    pending = moving
  }
}

async function inChunks(
  items: readonly string[], work: (chunk: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += ORDERS_AT_ONCE) {
    await work(items.slice(from, from + ORDERS_AT_ONCE))
  }
}

async function readView(
  ledger: RedisClient, partition: number, place: string,
): Promise<{ view: PartitionView, events: OutboxEvent[] }> {
  const earlier = await entriesAfter(ledger, partition, place)
  const from = earlier.at(-1)?.id ?? place
  const isIndexed = await isStatusIndexBuilt(ledger)
  const found = replyValues(await ledger.multi()
    .xrange(keys.outbox(partition), from, '+')
    .hgetall(keys.stock(partition))
    .hgetall(keys.supplied(partition))
    .zrange(keys.unpaid(partition), '0', '-1', 'WITHSCORES')
    .zrange(keys.due(partition), '0', '-1', 'WITHSCORES')
    .zrange(keys.afterDue(partition), '0', '-1', 'WITHSCORES')
    .hgetall(keys.progress(partition))
    .hvals(keys.aside(partition))
    .zrange(keys.fading(partition), '0', '-1', 'WITHSCORES')
    .hgetall(keys.trialHeld(partition))
    .zrange(keys.byStatus(partition), '0', '-1', 'WITHSCORES')
    .exec())
  const [entries, stock, supplied, unpaid, due, afterDue, progress, aside, fading, trialHeld,
    byStatus] = found
  const events = (entries as [string, string[]][]).map((entry) => outboxEvent(partition, entry))
  return {
    events: [...earlier, ...events],
    view: {
      partition,
      stock: units(stock), supplied: units(supplied),
      unpaid: scores(unpaid), due: scores(due), afterDue: scores(afterDue),
      fading: scores(fading), trialHeld: units(trialHeld),
      byStatus: isIndexed ? scores(byStatus) : undefined,
      progress: new Map(Object.entries(progress as Record<string, string>)),
      lastId: events.at(-1)?.id ?? from,
      aside: (aside as string[]).map(parseDeadLetter),
    },
  }
}

/** What came after a place; in pieces, since a place may be old. */
export async function entriesAfter(
  ledger: RedisClient, partition: number, place: string,
): Promise<OutboxEvent[]> {
  const found: OutboxEvent[] = []
  for (let from = place; ;) {
    const entries = await ledger.xrange(keys.outbox(partition), from, '+', 'COUNT', ENTRIES_MAX)
    // Trimming keeps the last entry, so the one at our place is missing only after a gap.
    if (from !== STREAM_START && entries[0]?.[0] !== from) throw new CursorLost()
    const fresh = from === STREAM_START ? entries : entries.slice(1)
    found.push(...fresh.map((entry) => outboxEvent(partition, entry)))
    from = found.at(-1)?.id ?? place
    if (entries.length < ENTRIES_MAX) return found
  }
}

const units = (reply: unknown): Map<number, number> => new Map(
  Object.entries(reply as Record<string, string>).map(([id, value]) => [Number(id), Number(value)]))

function scores(reply: unknown): Map<string, number> {
  const flat = reply as string[]
  return new Map(Array.from({ length: flat.length / 2 }, (_, index) =>
    [flat[index * 2] ?? '', Number(flat[index * 2 + 1])]))
}

const FIELDS = [
  'status', 'agent', 'fingerprint', 'product_id', 'qty', 'held', 'unit_price', 'freight', 'amount',
  'created_at', 'expires_at', 'given', 'after_id', 'after_status', 'after_type',
  'trial_held', 'mode', 'receiver', 'payment', 'refund', 'stray', 'given_back',
] as const
/** Of an order in the archive. */
const KEPT_FIELDS = ['archived', 'ended'] as const
const NUMBERS = ['product_id', 'qty', 'held', 'unit_price', 'freight', 'amount', 'created_at',
  'expires_at'] as const

export interface StoredOrder {
  readonly orderNo: string
  readonly status: Status
  readonly agent: string
  readonly fingerprint: string
  readonly attempt: string
  readonly account: string
  readonly mode: Mode
  readonly productId: number
  readonly qty: number
  readonly held: number
  readonly unitPrice: number
  readonly freight: number
  readonly amount: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly afterId: string | null
  readonly afterStatus: AftersaleStatus | null
  readonly afterType: AftersaleType | null
  readonly events: readonly OrderEvent[]
  readonly aftersales: readonly AftersaleRecord[]
  readonly payments: readonly PaymentRecord[]
  /** The name of the payment that it was paid with; null for none, or for one that was not kept. */
  readonly paidWith: string | null
  /** Fen that go back when it is refunded; null for all. */
  readonly refund: number | null
  /** Fen that paid no order, and fen of all payments that were given back. */
  readonly stray: number
  readonly givenBack: number
  /** Whether somebody looks at what has to go back. */
  readonly isRefundPlanned: boolean
  /** Whether it is dropped after a time. */
  readonly isFading: boolean
  /** Units that count against what trial keys may hold. */
  readonly trialHeld: number
  /** Id of the secret that its receiver is sealed under, where the envelope names one. */
  readonly sealedUnder: string | undefined
  /** Whether the ledger has a part of it alone; the rest was read from the archive. */
  readonly isArchived: boolean
  /** What the ledger keeps of it and the archive has otherwise. */
  readonly differing: readonly string[]
  /** Fields that a whole order has and this one lacks, or that cannot be read. */
  readonly flaws: readonly string[]
}

/** Reads them as one moment saw them; undefined for an order that is not there. */
async function readStoredOrders(
  { ledger, archive }: StoredOrders, partition: number, orderNos: readonly string[],
): Promise<(StoredOrder | undefined)[]> {
  if (orderNos.length === 0) return []
  const reading = ledger.multi()
  for (const orderNo of orderNos) {
    reading.hmget(keys.order(partition, orderNo), ...FIELDS, ...KEPT_FIELDS)
      .lrange(keys.events(partition, orderNo), 0, -1)
      .hgetall(keys.after(partition, orderNo))
      .pttl(keys.order(partition, orderNo))
      .hgetall(keys.payments(partition, orderNo))
      .zscore(keys.refunds(partition), orderNo)
  }
  const replies = await reading.exec() ?? []
  return await Promise.all(orderNos.map((orderNo, index) => {
    const [order, events, after, leftMs, payments, refundAt] = [0, 1, 2, 3, 4, 5].map((part) => {
      const [error, value] = replies[index * 6 + part] ?? [new Error('no reply'), null]
      if (error) throw error
      return value
    })
    const stored = {
      values: order as (string | null)[], lines: events as string[],
      after: after as Record<string, string>, payments: payments as Record<string, string>,
      isFading: Number(leftMs) >= 0, isRefundPlanned: refundAt !== null,
    }
    const archived = stored.values[FIELDS.length]
    return typeof archived === 'string' ? archivedOrder(archive, archived, orderNo, stored)
      : storedOrder(orderNo, stored)
  }))
}

/** As it was when it left; what the ledger keeps of it is held against that. */
async function archivedOrder(
  archive: OrderArchive | undefined, place: string, orderNo: string, stored: Stored,
): Promise<StoredOrder | undefined> {
  const kept = stored.values.slice(0, FIELDS.length)
  const ended = stored.values.at(-1) ?? null
  try {
    const { order, events, after } = await readArchived(archive, place, orderNo)
    const values = FIELDS.map((name) => order[name] ?? null)
    const whole = storedOrder(orderNo, { ...stored, values, lines: events, after })
    const differing = FIELDS.filter((name, index) => name !== 'given'
      && kept[index] !== null && kept[index] !== values[index])
    return whole && {
      ...whole, isArchived: true,
      differing: ended === whole.status ? differing : ['status', ...differing],
    }
  } catch {
    const part = storedOrder(orderNo, { ...stored, values: [ended, ...kept.slice(1)] })
    return part && { ...part, isArchived: true, flaws: [...part.flaws, 'archive'] }
  }
}

interface Stored {
  readonly values: readonly (string | null)[]
  readonly lines: readonly string[]
  readonly after: Record<string, string>
  readonly payments: Record<string, string>
  readonly isFading: boolean
  readonly isRefundPlanned: boolean
}

function storedOrder(orderNo: string, stored: Stored): StoredOrder | undefined {
  const { values, lines, after, payments, isFading, isRefundPlanned } = stored
  const field = Object.fromEntries(FIELDS.map((name, index) => [name, values[index] ?? null]))
  if (values.every((value) => value === null)) return undefined
  const flaws: string[] = ['status', 'agent', 'fingerprint']
    .filter((name) => !field[name])
  const number = Object.fromEntries(NUMBERS.map((name) => {
    const text = field[name] ?? ''
    if (!/^\d{1,15}$/.test(text)) flaws.push(name)
    return [name, Number(text)]
  })) as Record<typeof NUMBERS[number], number>
  const read = <T>(name: string, parse: () => T, otherwise: T): T => {
    try {
      return parse()
    } catch {
      flaws.push(name)
      return otherwise
    }
  }
  const { attempt, account } = read('given',
    () => JSON.parse(field['given'] ?? '') as Partial<Record<'attempt' | 'account', unknown>>, {})
  return {
    orderNo,
    status: field['status'] as Status,
    agent: field['agent'] ?? '',
    fingerprint: field['fingerprint'] ?? '',
    attempt: String(attempt ?? ''),
    account: String(account ?? ''),
    mode: modeOf(field['mode']),
    productId: number.product_id,
    qty: number.qty,
    held: number.held,
    unitPrice: number.unit_price,
    freight: number.freight,
    amount: number.amount,
    createdAt: number.created_at,
    expiresAt: number.expires_at,
    afterId: field['after_id'] ?? null,
    afterStatus: field['after_status'] as AftersaleStatus | null,
    afterType: field['after_type'] as AftersaleType | null,
    events: read('events', () => lines.map((line) => JSON.parse(line) as OrderEvent), []),
    aftersales: read('aftersales', () => aftersalesOf(after, field['after_id'] ?? undefined), []),
    payments: read('payments', () => paymentsOf(orderNo, payments), []),
    paidWith: field['payment'] ?? null,
    refund: field['refund'] === null ? null : Number(field['refund']),
    stray: Number(field['stray'] ?? 0),
    givenBack: Number(field['given_back'] ?? 0),
    isRefundPlanned,
    isFading,
    trialHeld: Number(field['trial_held'] ?? 0),
    sealedUnder: sealedUnder(field['receiver'] ?? ''),
    isArchived: false,
    differing: [],
    flaws,
  }
}
