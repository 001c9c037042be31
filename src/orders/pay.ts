/** The payer's button: at once with pretended money, else on to the provider's page. */
import { LRUCache } from 'lru-cache'
import { SourceError } from '../../adapters/failure.ts'
import { nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Mode } from '../contract/money.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { PayLinks, PaymentProvider } from './payment.ts'
import { partitionFor, type Payments, type Recorded } from './payments.ts'
import type { OrderRecord } from './record.ts'

/** `closed`: the window has passed, or the order was cancelled. `url`: of the provider's page. */
export type PayResult =
  | { readonly outcome: 'paid' | 'already_paid' | 'closed' | 'not_found' }
  | { readonly outcome: 'redirect', readonly url: string }

export interface PayingOptions {
  readonly durable: Pick<Durable, 'send' | 'read'>
  readonly payments: Payments
  readonly payLinks: PayLinks
  readonly provider: PaymentProvider | undefined
  readonly mode: Mode
  /** The order of a pay_url; undefined when the token is not its own. */
  payable(orderNo: string, token: string): Promise<OrderRecord | undefined>
}

/** What is left of the window for a notice that is under way when the provider stops. */
const MARGIN_MS_MAX = 30_000
const MARGIN_SHARE = 0.1
/** A notice that has not come after this is asked for. */
export const FIRST_CHECK_MS = 15_000
/** Pages that a node remembers: a payer who presses again costs the provider nothing. */
const PAGES_MAX = 10_000

export function createPaying({
  durable, payable, payLinks, payments, provider, mode,
}: PayingOptions): (orderNo: string, token: string) => Promise<PayResult> {
  const pages = new LRUCache<string, string>({ max: PAGES_MAX })

  async function begin(order: OrderRecord, provider: PaymentProvider): Promise<PayResult> {
    const { orderNo, title, amount, createdAt, expiresAt } = order
    const known = pages.get(orderNo)
    if (known !== undefined) return { outcome: 'redirect', url: known }
    const margin = Math.min((expiresAt - createdAt) * MARGIN_SHARE, MARGIN_MS_MAX)
    // Listed before the provider knows of it: a crash between leaves a question, not lost money.
    if (mode === 'live') {
      await durable.send('zadd', keys.paymentChecks(partitionFor(orderNo)), 'NX',
        nowMs() + FIRST_CHECK_MS, orderNo)
    }
    const created = await provider.create({
      orderNo, title, amount, expiresAt: Math.floor(expiresAt - margin),
      returnUrl: payLinks.payUrl(orderNo),
    })
    if ('taken' in created) {
      return { outcome: outcomeOf(await payments.record(created.taken, provider.name, mode)) }
    }
    pages.set(orderNo, created.url, { ttl: Math.max(1, Math.floor(expiresAt - nowMs())) })
    return { outcome: 'redirect', url: created.url }
  }

  return async function pay(orderNo, token) {
    const order = await payable(orderNo, token)
    if (!order) return { outcome: 'not_found' }
    if (!provider || order.mode !== mode) throw new Refusal('not_configured')
    if (order.events.some(({ event }) => event === 'paid')) {
      // A master that was cut off may be the only one that has it: a payer is told what is kept.
      const kept = keys.order(partitionFor(orderNo), orderNo)
      const paidAt = await durable.read('hget', kept, 'did:pay').catch((error: unknown) => {
        // Whatever keeps it from being read, it may be paid: the payer tries again.
        throw error instanceof Refusal ? error : new Refusal('unavailable', {}, error)
      })
      if (paidAt === null) throw new Refusal('unavailable')
      return { outcome: 'already_paid' }
    }
    if (order.status !== 'pending_payment' || order.expiresAt <= nowMs()) {
      return { outcome: 'closed' }
    }
    try {
      return await begin(order, provider)
    } catch (error) {
      if (error instanceof SourceError) throw new Refusal('unavailable', {}, error)
      throw error
    }
  }
}

function outcomeOf(recorded: Recorded): 'paid' | 'already_paid' | 'closed' {
  if (recorded.outcome === 'paid') return 'paid'
  return recorded.outcome === 'known' ? 'already_paid' : 'closed'
}
