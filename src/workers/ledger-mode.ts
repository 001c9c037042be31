/**
 * The mode that a ledger is in. It begins in that of the first service on it, goes from sandbox to
 * live once, by the operator's command, and never back: pretended payments never stand beside real
 * ones.
 */
import { ConfigError, type Config } from '../config.ts'
import { readBalances, type Book } from '../earnings/books.ts'
import { earnedByOrder, reconcileCommission } from '../earnings/commission.ts'
import { orderSubject } from '../earnings/records.ts'
import { modeOf, serviceMode, type Mode } from '../contract/money.ts'
import { aftersaleSubject, isOpenAftersale } from '../orders/aftersale-record.ts'
import { ordersByStatus } from '../orders/by-status.ts'
import { createMoves, type MakeMove, type MoveOptions } from '../orders/moves.ts'
import { readOrder, type OrderRecord } from '../orders/record.ts'
import { createDriver } from '../orders/driver.ts'
import { isFinal, openOf, STATUSES, type MoveName, type Status } from '../orders/states.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { counters as counterKeys, ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany } from '../redis/send.ts'

/** What of the sandbox is left on a ledger. */
export interface SandboxLeft {
  /** Orders in flight, by their status. */
  readonly orders: Partial<Record<Status, number>>
  /** Accounts with pretended money, and its fen by book. */
  readonly accounts: number
  readonly books: Record<(typeof MONEY)[number], number>
}

const MONEY = ['pending', 'confirmed', 'withdrawable', 'reserved'] as const satisfies Book[]
const AT_ONCE = 64
/** From its placement to a refund of returned goods an order makes fewer moves. */
const MOVES_MAX = 12
/** Leases that every running node holds or waits for. */
const WORKERS = ['driver', 'expiry', 'trim']

/** Undefined where no service has run on it since ledgers have one. */
export async function readLedgerMode(ledger: RedisClient): Promise<Mode | undefined> {
  const known = await ledger.get(keys.mode)
  return known === null ? undefined : modeOf(known)
}

/**
 * Notes the service's mode on a ledger that has none. Throws a ConfigError on a ledger of the
 * other mode; but one of the sandbox that has nothing pretended left becomes live by itself.
 */
export async function assertMode(
  ledger: RedisClient, config: Pick<Config, 'sandbox'>,
): Promise<void> {
  const wanted = serviceMode(config)
  const known = await readLedgerMode(ledger)
  if (known === wanted) return
  if (known === 'live') {
    throw new ConfigError('This ledger is live: pretended payments must not stand beside real '
      + 'ones. Set SANDBOX=off, or use another ledger for the sandbox.')
  }
  if (wanted === 'live' && isSomethingLeft(await sandboxLeft(ledger))) {
    throw new ConfigError('SANDBOX is off, and this ledger has orders or money of the sandbox: '
      + '`agentmall mode live` says what there is and how the ledger goes live.')
  }
  await ledger.set(keys.mode, wanted)
}

export const isSomethingLeft = ({ orders, accounts }: SandboxLeft): boolean =>
  accounts > 0 || Object.keys(orders).length > 0

/** Looks at every order in flight and every account once. */
export async function sandboxLeft(
  ledger: RedisClient, onOrder: (orderNo: string) => Promise<void> = async () => {},
): Promise<SandboxLeft> {
  const orders: Partial<Record<Status, number>> = {}
  const seen = new Set<string>()
  for await (const orderNos of openOrders(ledger)) {
    const found = await runMany(ledger, orderNos.map((orderNo) => ['hmget',
      keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'status', 'mode'] as const))
    const open = orderNos.filter((orderNo, index) => {
      const [status, mode] = found[index] as [Status | null, string | null]
      if (status === null || isFinal(status) || modeOf(mode) === 'live') return false
      // One that is ended just now stands in another list before it is gone.
      if (seen.has(orderNo)) return false
      seen.add(orderNo)
      orders[status] = (orders[status] ?? 0) + 1
      return true
    })
    for (let from = 0; from < open.length; from += AT_ONCE) {
      await Promise.all(open.slice(from, from + AT_ONCE).map(onOrder))
    }
  }
  const books = { pending: 0, confirmed: 0, withdrawable: 0, reserved: 0 }
  const owners = new Set<string>()
  for await (const accounts of scanNames(ledger, scans.earners.sandbox)) {
    for (const account of accounts.filter((one) => !owners.has(one))) {
      const balances = await readBalances({ ledger, mode: 'sandbox' }, account)
      if (MONEY.every((book) => balances[book] === 0)) continue
      owners.add(account)
      for (const book of MONEY) books[book] += balances[book]
    }
  }
  return { orders, accounts: owners.size, books }
}

async function* openOrders(ledger: RedisClient): AsyncGenerator<string[]> {
  for (const status of STATUSES) if (!isFinal(status)) yield* ordersByStatus(ledger, status)
}

export interface GoLiveOptions {
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly durable: Durable
  readonly config: Pick<Config,
    'sandbox' | 'sandboxStepMs' | 'sandboxCompleteMs' | 'completeMs' | 'unpaidKeptMs'>
}

/**
 * Ends every order of the sandbox that is in flight, its units back in stock and its commission
 * taken back, and has the ledger go live. Pretended money stays in its books, which nobody settles
 * or pays out any more. May be cut off, and repeated. Throws a ConfigError while a node runs.
 */
export async function goLive(place: GoLiveOptions): Promise<SandboxLeft> {
  const { ledger, counters, durable, config } = place
  const leases = await runMany(counters, WORKERS.map((worker) =>
    ['exists', counterKeys.lease(worker)] as const))
  if (leases.some((held) => held === 1)) {
    throw new ConfigError('A node runs on this ledger: stop the service, wait ten seconds, and '
      + 'give the command again.')
  }
  const driver = createDriver({ ...config, sandbox: false })
  const move = createMoves({ durable, driver, unpaidKeptMs: config.unpaidKeptMs })
  const left = await sandboxLeft(ledger, async (orderNo) => {
    await endOrder(ledger, move, orderNo)
    await reconcileCommission({ ledger, durable }, orderSubject(orderNo),
      () => earnedByOrder(durable.read, orderNo))
  })
  await durable.send('set', keys.mode, 'live')
  return left
}

/** By the table's own moves: what has shipped comes back as a return. */
async function endOrder(ledger: RedisClient, move: MakeMove, orderNo: string): Promise<void> {
  for (let made = 0; made < MOVES_MAX; made += 1) {
    const order = await readOrder(ledger, orderNo)
    if (!order || isFinal(order.status)) return
    const [name, options] = nextToTheEnd(order)
    const { code } = await move(name, orderNo, options)
    if (code !== 'moved') throw new Error(`${orderNo} cannot be ended: ${name} is ${code}`)
  }
  throw new Error(`${orderNo} cannot be ended in ${MOVES_MAX} moves`)
}

function nextToTheEnd(order: OrderRecord): [MoveName, MoveOptions?] {
  const { status, orderNo, aftersales, amount } = order
  const last = aftersales.at(-1)
  const aftersale = last && isOpenAftersale(last) ? aftersaleSubject(last) : undefined
  const about = aftersale && { aftersale }
  if (status === 'pending_payment') return ['cancel']
  if (status === 'paid' || status === 'merchant_accepted') return ['refund_unshipped']
  switch (openOf(last?.status)) {
    case 'requested':
      return [aftersale?.type === 'return_refund' ? 'approve_return' : 'reject', about]
    case 'approved':
      return [aftersale?.type === 'return_refund' ? 'collect' : 'refund_kept', about]
    case 'pickup_booked': return ['collect', about]
    case 'returning': return ['receive', about]
    case 'received': return ['refund_returned', about]
    default:
  }
  if (status === 'refunding') return ['finish_refund']
  const given = {
    type: 'return_refund', reason: 'The sandbox was ended.', pickup: false, fingerprint: '',
    refund_amount: amount, return_freight_payer: 'us',
  }
  const id = `AS_END_${orderNo}_${aftersales.length}`
  return ['request_aftersale', { mark: `end:${aftersales.length}`, aftersale: {
    id, type: 'return_refund', hasPickup: false, given: JSON.stringify(given),
  } }]
}
