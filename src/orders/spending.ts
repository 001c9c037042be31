/**
 * What the owner of an agent lets it order in a day. An order's amount is reserved under the
 * order's own number before it is placed, so that however many calls an attempt takes, it counts
 * once; a call that places nothing lets go.
 */
import type { OwnerLimits } from '../contract/owner-limits.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { orderAmount } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Price } from './quote.ts'

export interface Spender {
  readonly agent: string
  readonly orderNo: string
  readonly partition: number
  readonly product_id: number
  readonly qty: number
  readonly user_ref?: string
}

interface Placed { readonly code: string }

export interface Spending {
  /**
   * Places an order inside the day's limits. `placeAt` must place it at the amount that it is
   * given, or at any where it is given none. Says which price was held to.
   */
  within<P extends Placed>(
    order: Spender, limits: OwnerLimits, quoted: Price | undefined,
    placeAt: (amount: number | undefined) => Promise<P>,
  ): Promise<P & { promised: Price | undefined }>
  /** Fen that the agent may still order today. */
  left(agent: string, dayMax: number): Promise<number>
}

export interface SpendingOptions {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Secrets
  readonly log: Pick<Logger, 'warn'>
}

const DAY_MS = 86_400_000
const DAYS_TRIED = 3
/** No order comes to this: of a product without a price it is refused, whatever it is by then. */
const NO_AMOUNT = -1

const spendReserve = defineScript('spend-reserve', ['own', 'user'],
  ['day', 'order_no', 'amount', 'own_max', 'user_max'],
  ([code, number, endsMs]: ['held' | 'day' | 'own' | 'user', string | number, number]) =>
    ({ code, number: Number(number), endsMs }))

const spendRelease = defineScript('spend-release', ['own', 'user'],
  ['order_no', 'own_held', 'user_held'], (free: number) => free)

export const ownerLimit = (
  limit: keyof OwnerLimits, value: unknown, facts: Record<string, unknown>,
): Refusal => new Refusal('owner_limit', { limit, value, ...facts })

export function createSpending({ ledger, durable, secrets, log }: SpendingOptions): Spending {
  /** Orders without a user_ref count as one user's: leaving it out must not open the limit. */
  const windowsOf = ({ agent, user_ref }: Pick<Spender, 'agent' | 'user_ref'>, day: number) => ({
    own: keys.spent(agent, day),
    user: keys.spentBy(agent, day, secrets.id('spender', agent, user_ref ?? '')),
  })

  /** Resolves with what undoes it; refuses with owner_limit. */
  async function reserve(
    order: Spender, limits: OwnerLimits, amount: number,
  ): Promise<() => Promise<void>> {
    const { day_amount_max: own, user_ref_day_amount_max: user } = limits
    let day = Math.floor(nowMs() / DAY_MS)
    for (let turn = 0; turn < DAYS_TRIED; turn += 1) {
      const windows = windowsOf(order, day)
      const { code, number, endsMs } = await durable.run(spendReserve, windows, {
        day, order_no: order.orderNo, amount, own_max: own ?? '', user_max: user ?? '',
      })
      if (code === 'held') {
        return async () => {
          await durable.run(spendRelease, windows, {
            order_no: order.orderNo, own_held: own === undefined ? '' : '1',
            user_held: user === undefined ? '' : '1',
          })
        }
      }
      if (code !== 'day') {
        const limit = code === 'own' ? 'day_amount_max' : 'user_ref_day_amount_max'
        throw ownerLimit(limit, limits[limit], {
          left: number, amount, resets_at: isoTime(nowMs() + endsMs),
        })
      }
      day = number
    }
    throw new Error('The day changed with every look.')
  }

  const isPlaced = async ({ partition, orderNo }: Spender): Promise<boolean> =>
    await ledger.exists(keys.order(partition, orderNo)) === 1

  /** Undefined where the product cannot be ordered. */
  async function priceNow({ product_id, qty }: Spender): Promise<Price | undefined> {
    const [price, freight, freeFrom] = await ledger.hmget(keys.sku(product_id),
      'retail_price', 'freight', 'free_ship_threshold')
    if (!price || !freight || !freeFrom) return undefined
    const due = orderAmount(Number(price), qty, Number(freight), Number(freeFrom))
    return { unit_price: Number(price), freight: due.freight, amount: due.amount }
  }

  async function letGo(release: () => Promise<void>): Promise<void> {
    try {
      await release()
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'an amount stays reserved for its day')
    }
  }

  return {
    async within(order, limits, quoted, placeAt) {
      const isLimited = limits.day_amount_max !== undefined
        || limits.user_ref_day_amount_max !== undefined
      for (let turn = 1; ; turn += 1) {
        // An order that is there counted when it was placed, perhaps on another day.
        if (!isLimited || await isPlaced(order)) {
          return { ...await placeAt(quoted?.amount), promised: quoted }
        }
        const promised = quoted ?? await priceNow(order)
        const amount = promised?.amount ?? NO_AMOUNT
        const release = await reserve(order, limits, Math.max(0, amount))
          .catch(async (error: unknown) => {
            // Another call of this attempt may have placed it meanwhile: it is no new order then.
            if (await isPlaced(order)) return undefined
            throw error
          })
        if (!release) continue
        const placed = await placeAt(amount)
        if (placed.code !== 'placed') await letGo(release)
        const hasMoved = placed.code === 'price' && !quoted
        if (!hasMoved || turn > 1) return { ...placed, promised }
      }
    },
    async left(agent, dayMax) {
      const { own } = windowsOf({ agent }, Math.floor(nowMs() / DAY_MS))
      return Math.max(0, dayMax - Number(await ledger.hget(own, 'sum') ?? 0))
    },
  }
}
