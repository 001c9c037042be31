/** What an order would cost just now, read from where orders are placed. */
import { isoTime, nowMs } from '../contract/time.ts'
import { orderAmount, yuanText } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { noSuchProduct, wrongMerchant, type Buyer } from './place.ts'
import type { Quotes } from './quote.ts'
import type { Spending } from './spending.ts'

export interface PreviewInput {
  readonly merchant_id: number
  readonly product_id: number
  readonly qty: number
}

export interface Preview {
  product_id: number
  sku_id: number
  title: string
  qty: number
  unit_price: number
  goods_amount: number
  freight: number
  free_ship_threshold: number
  amount: number
  grand_total: number
  qty_cap: number
  available_qty: number
  inventory_snapshot_at: string
  orderable: boolean
  why?: string
  quote_token: string
}

interface PreviewParts {
  readonly ledger: RedisClient
  readonly quotes: Quotes
  readonly spending: Spending
}

/** Of a buyer whose owner set limits it also says which of them the order would pass. */
export async function previewOrder(
  { ledger, quotes, spending }: PreviewParts, { merchant_id, product_id, qty }: PreviewInput,
  buyer?: Pick<Buyer, 'agent' | 'limits'>,
): Promise<Preview> {
  const [facts, left] = await Promise.all([
    ledger.hmget(keys.sku(product_id), 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
      'qty_cap', 'retail_price', 'freight', 'free_ship_threshold', 'category_id'),
    ledger.hget(keys.stock(partitionOf(product_id)), String(product_id)),
  ])
  const [supply, delisted, merchant, skuId, title, cap, unitPrice, freight, freeFrom,
    category] = facts
  if (supply !== 'own' || delisted === '1' || !title) throw noSuchProduct()
  if (Number(merchant) !== merchant_id) throw wrongMerchant()
  const due = orderAmount(Number(unitPrice), qty, Number(freight), Number(freeFrom))
  const price = { unit_price: Number(unitPrice), freight: due.freight, amount: due.amount }
  const available = Number(left ?? 0)
  const why = qty > Number(cap) ? `One order takes at most ${Number(cap)}.`
    : qty > available ? `Only ${available} are left.`
      : await ownersNo(spending, buyer, due.amount, Number(category))
  return {
    product_id,
    sku_id: Number(skuId),
    title,
    qty,
    ...price,
    goods_amount: due.goods,
    grand_total: price.amount,
    free_ship_threshold: Number(freeFrom),
    qty_cap: Number(cap),
    available_qty: available,
    inventory_snapshot_at: isoTime(nowMs()),
    orderable: why === undefined,
    ...(why !== undefined && { why }),
    quote_token: quotes.seal({ product_id, qty }, price),
  }
}

async function ownersNo(
  spending: Spending, buyer: Pick<Buyer, 'agent' | 'limits'> | undefined, amount: number,
  category: number,
): Promise<string | undefined> {
  if (!buyer?.limits) return undefined
  const { categories, order_amount_max: most, day_amount_max: daily } = buyer.limits
  if (categories && !categories.includes(category)) {
    return 'The owner of this agent does not allow this category.'
  }
  if (most !== undefined && amount > most) {
    return `The owner of this agent allows at most ${yuanText(most)} an order.`
  }
  const left = daily === undefined ? Infinity : await spending.left(buyer.agent, daily)
  return amount > left
    ? `Of what the owner of this agent allows today ${yuanText(left)} are left.` : undefined
}
