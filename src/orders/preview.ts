/** What an order would cost just now, read from where orders are placed. */
import { isoTime, nowMs } from '../clock.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { noSuchProduct, wrongMerchant } from './place.ts'
import type { Quotes } from './quote.ts'

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

export async function previewOrder(
  ledger: RedisClient, quotes: Quotes, { merchant_id, product_id, qty }: PreviewInput,
): Promise<Preview> {
  const [facts, left] = await Promise.all([
    ledger.hmget(keys.sku(product_id), 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
      'qty_cap', 'retail_price', 'freight', 'free_ship_threshold'),
    ledger.hget(keys.stock(partitionOf(product_id)), String(product_id)),
  ])
  const [supply, delisted, merchant, skuId, title, cap, unitPrice, freight, freeFrom] = facts
  if (supply !== 'own' || delisted === '1' || !title) throw noSuchProduct()
  if (Number(merchant) !== merchant_id) throw wrongMerchant()
  const goods = Number(unitPrice) * qty
  const price = {
    unit_price: Number(unitPrice),
    freight: goods >= Number(freeFrom) ? 0 : Number(freight),
    amount: goods + (goods >= Number(freeFrom) ? 0 : Number(freight)),
  }
  const available = Number(left ?? 0)
  const why = qty > Number(cap) ? `One order takes at most ${Number(cap)}.`
    : qty > available ? `Only ${available} are left.` : undefined
  return {
    product_id,
    sku_id: Number(skuId),
    title,
    qty,
    ...price,
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
