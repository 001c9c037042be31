/** Orders in every standing that the state table leads to, each brought there by its moves. */
import { randomUUID } from 'node:crypto'
import {
  AFTERSALE_TYPES, MOVES, openOf, type AftersaleStatus, type AftersaleType, type MoveRow,
  type MoveName, type Status,
} from '../orders/states.ts'
import type { MakeMove } from '../orders/moves.ts'
import { attemptAt, newBuyer, supplyProduct, type Product, type Shop } from './products.ts'

export interface Step { readonly name: MoveName, readonly type: AftersaleType | null }

export interface Place {
  readonly status: Status
  readonly after: AftersaleStatus | null
  readonly type: AftersaleType | null
  readonly path: readonly Step[]
}

const MOVE_NAMES = Object.keys(MOVES) as MoveName[]

/** The shortest way to each pair of an order's status and its after-sale's. */
export function everyPath(): Place[] {
  const start: Place = { status: 'pending_payment', after: null, type: null, path: [] }
  const seen = new Map<string, Place>()
  for (const waiting = [start]; waiting.length > 0;) {
    const place = waiting.shift() as Place
    const key = `${place.status} ${place.after} ${place.type}`
    if (seen.has(key)) continue
    seen.set(key, place)
    for (const name of MOVE_NAMES) waiting.push(...placesAfter(place, name))
  }
  return [...seen.values()]
}

/** Where a move leads to from a place: nowhere, or to one place for each type that it may begin. */
export function placesAfter({ status, after, type, path }: Place, name: MoveName): Place[] {
  const open = openOf(after ?? undefined)
  const row: MoveRow = MOVES[name]
  const { aftersale } = row
  if (!row.from.includes(status) || (aftersale && !aftersale.from.includes(open))) return []
  const to = row.to ?? status
  if (!aftersale?.to) return [{ status: to, after, type, path: [...path, { name, type: null }] }]
  const types = open === 'none' ? AFTERSALE_TYPES : [type]
  return types.filter((one) => aftersale.type === undefined || aftersale.type === one)
    .map((one) => ({
      status: to, after: aftersale.to, type: one, path: [...path, { name, type: one }],
    }))
}

/** `brief` is a shop whose payment window is over at once. */
export async function orderAlong(
  shop: Shop, brief: Shop, path: readonly Step[], product?: Product,
): Promise<{ orderNo: string, agent: string, attempt: string, product: Product }> {
  const bought = product ?? await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const input = attemptAt(bought, { qty: 2 })
  const isOver = path.some(({ name }) => (MOVES[name] as MoveRow).window === 'over')
  const { order_no } = await (isOver ? brief : shop).orders.place(input, buyer)
  await moveAlong(shop.orders.move, order_no, path)
  return {
    orderNo: order_no, agent: buyer.agent, attempt: input.idempotency_key, product: bought,
  }
}

/** Makes the moves of a path, one after the other. */
export async function moveAlong(
  move: MakeMove, orderNo: string, path: readonly Step[],
): Promise<void> {
  let id = ''
  for (const { name, type } of path) {
    const begins = (MOVES[name] as MoveRow).aftersale?.from.includes('none') && type !== null
    if (begins) id = `AS${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`
    const given = JSON.stringify({
      type, pickup: true, refund_amount: 1, return_freight_payer: 'us', fingerprint: 'x',
    })
    let code = 'early'
    while (code === 'early') {
      ({ code } = await move(name, orderNo, type === null ? {} : {
        aftersale: { id, type, hasPickup: true, ...(begins && { given }) },
      }))
    }
    if (code !== 'moved') throw new Error(`${name} at ${orderNo}: ${code}`)
  }
}
