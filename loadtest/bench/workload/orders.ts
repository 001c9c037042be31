/** Orders by many agents, spread over many products, each attempt a new one. */
import { randomUUID } from 'node:crypto'
import { changeStock } from '../../../src/goods/stock.ts'
import type { PlaceInput } from '../../../src/orders/place.ts'
import type { RedisClient } from '../../../src/redis/connect.ts'
import type { HttpCall } from '../requests.ts'
import type { Buyer, Stand } from '../stand.ts'
import type { OwnLine } from './goods.ts'

const PRODUCTS = 2000
/** More than any run sells of a product. */
const UNITS = 1_000_000

const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
} as const

/** Products that orders cannot empty; the changes are recorded as deliveries are. */
export async function stockUp(ledger: RedisClient, lines: readonly OwnLine[]): Promise<OwnLine[]> {
  const products = lines.slice(0, PRODUCTS)
  await Promise.all(products.map(async ({ product_id }) => {
    const { outcome } = await changeStock(ledger, product_id, UNITS)
    if (outcome !== 'recorded') throw new Error(`Stock of ${product_id}: ${outcome}.`)
  }))
  return products
}

export interface Attempt {
  readonly input: PlaceInput
  readonly buyer: Buyer
}

export function attempts(
  { buyers }: Pick<Stand, 'buyers'>, products: readonly OwnLine[], count: number,
): Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const { merchant_id, product_id } = products[at % products.length] as OwnLine
    return {
      buyer: buyers[at % buyers.length] as Buyer,
      input: {
        idempotency_key: randomUUID(), merchant_id, product_id, qty: 1, receiver: RECEIVER,
      },
    }
  })
}

export function orderCall({ input }: Pick<Attempt, 'input'>): HttpCall {
  const { idempotency_key, ...body } = input
  return {
    method: 'POST',
    path: '/v1/orders',
    headers: { 'Idempotency-Key': idempotency_key },
    body: JSON.stringify(body),
  }
}
