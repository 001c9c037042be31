/**
 * What the owner of an agent lets it order in a day. An order's amount is reserved under the
 * order's own number before it is placed, so that however many calls an attempt takes, it counts
 * once; a call that places nothing lets go.
 */
import type { OwnerLimits } from '../contract/caller.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { orderAmount } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Price } from './quotes.ts'

interface Spender {
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

interface SpendingOptions {
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

export const hasDayLimit = (limits: OwnerLimits): boolean =>
  limits.day_amount_max !== undefined || limits.user_ref_day_amount_max !== undefined

export class DailySpending implements Spending {
  private readonly ledger: RedisClient
  private readonly durable: Durable
  private readonly secrets: Secrets
  private readonly log: Pick<Logger, 'warn'>

  constructor({ ledger, durable, secrets, log }: SpendingOptions) {
    this.ledger = ledger
    this.durable = durable
    this.secrets = secrets
    this.log = log
  }

  async within<P extends Placed>(
    order: Spender, limits: OwnerLimits, quoted: Price | undefined,
    placeAt: (amount: number | undefined) => Promise<P>,
  ): Promise<P & { promised: Price | undefined }> {
    const isLimited = hasDayLimit(limits)
    for (let turn = 1; ; turn += 1) {
      // An order that is there counted when it was placed, perhaps on another day.
      if (!isLimited || await this.isPlaced(order)) {
        return { ...await placeAt(quoted?.amount), promised: quoted }
      }
      const promised = quoted ?? await this.priceNow(order)
      const amount = promised?.amount ?? NO_AMOUNT
      const release = await this.reserve(order, limits, Math.max(0, amount))
        .catch(async (error: unknown) => {
          // Another call of this attempt may have placed it meanwhile: it is no new order then.
          if (await this.isPlaced(order)) return undefined
          throw error
        })
      if (!release) continue
      const placed = await placeAt(amount)
      if (placed.code !== 'placed') await this.tryRelease(release)
      const hasMoved = placed.code === 'price' && !quoted
      if (!hasMoved || turn > 1) return { ...placed, promised }
    }
  }

  async left(agent: string, dayMax: number): Promise<number> {
    const { own } = this.windowsOf({ agent }, Math.floor(nowMs() / DAY_MS))
    return Math.max(0, dayMax - Number(await this.ledger.hget(own, 'sum') ?? 0))
  }

  /** Resolves with what undoes it; refuses with owner_limit. */
  private async reserve(
    order: Spender, limits: OwnerLimits, amount: number,
  ): Promise<() => Promise<void>> {
    const { day_amount_max: own, user_ref_day_amount_max: user } = limits
    let day = Math.floor(nowMs() / DAY_MS)
    for (let turn = 0; turn < DAYS_TRIED; turn += 1) {
      const windows = this.windowsOf(order, day)
      const { code, number, endsMs } = await this.durable.run(spendReserve, windows, {
        day, order_no: order.orderNo, amount, own_max: own ?? '', user_max: user ?? '',
      })
      if (code === 'held') {
        return async () => {
          await this.durable.run(spendRelease, windows, {
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

  private async tryRelease(release: () => Promise<void>): Promise<void> {
    try {
      await release()
    } catch (error) {
      this.log.warn({ error: (error as Error).message }, 'an amount stays reserved for its day')
    }
  }

  /** Orders without a user_ref count as one user's: leaving it out must not open the limit. */
  private windowsOf({ agent, user_ref }: Pick<Spender, 'agent' | 'user_ref'>, day: number) {
    return {
      own: keys.spent(agent, day),
      user: keys.spentBy(agent, day, this.secrets.id('spender', agent, user_ref ?? '')),
    }
  }

  private async isPlaced({ partition, orderNo }: Spender): Promise<boolean> {
    return await this.ledger.exists(keys.order(partition, orderNo)) === 1
  }

  /** Undefined where the product cannot be ordered. */
  private async priceNow({ product_id, qty }: Spender): Promise<Price | undefined> {
    const [price, freight, freeFrom] = await this.ledger.hmget(keys.sku(product_id),
      'retail_price', 'freight', 'free_ship_threshold')
    if (!price || !freight || !freeFrom) return undefined
    const due = orderAmount(Number(price), qty, Number(freight), Number(freeFrom))
    return { unit_price: Number(price), freight: due.freight, amount: due.amount }
  }
}
