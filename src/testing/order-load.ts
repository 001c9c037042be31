/** Buyers who order one after the other, and an account of every answer that they got. */
import { monotonicMs, sleep } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import { attemptAt, newBuyer, stockOf, type Product, type Shop } from './products.ts'

export interface OrderLoad {
  /** Orders that were acknowledged, by product. */
  readonly acknowledged: ReadonlyMap<Product, readonly string[]>
  /** How often each error was answered. */
  readonly errors: ReadonlyMap<string, number>
  /** The longest time without an acknowledged order of one of these products. */
  longestGapMs(products?: readonly Product[]): number
  /** Acknowledged orders of one of these products since that moment (monotonic). */
  countSince(ms: number, products: readonly Product[]): number
  /** Ends it; every buyer finishes the order that it has in hand. */
  stop(): Promise<void>
}

const RETRY_MS = 50
/** What a client does on a 503; no wait of the test. */
const toldToRetry = (): Promise<void> => sleep(RETRY_MS)

/** A buyer whose order has an unknown outcome tries the same one again, as the answer tells it. */
export function startLoad(
  shop: Pick<Shop, 'orders'>, products: readonly Product[], buyers: number, pays = false,
): OrderLoad {
  const acknowledged = new Map<Product, string[]>(products.map((product) => [product, []]))
  const times = new Map<Product, number[]>(products.map((product) => [product, [monotonicMs()]]))
  const errors = new Map<string, number>()
  const state = { isOver: false }

  async function succeed<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const name = error instanceof Refusal ? error.error : String(error)
        errors.set(name, (errors.get(name) ?? 0) + 1)
        if (name !== 'unavailable') throw error
        await toldToRetry()
      }
    }
  }

  async function buy(first: number): Promise<void> {
    const buyer = newBuyer()
    for (let at = first; !state.isOver; at += 1) {
      const product = products[at % products.length] as Product
      const input = attemptAt(product)
      const { order_no } = await succeed(() => shop.orders.place(input, buyer))
      acknowledged.get(product)?.push(order_no)
      times.get(product)?.push(monotonicMs())
      if (pays) await succeed(() => shop.orders.move('pay', order_no))
    }
  }

  const buying = Array.from({ length: buyers }, (_, at) => buy(at))
  // Their failure is seen at the end, not as an unhandled one meanwhile.
  for (const one of buying) one.catch(() => {})
  return {
    acknowledged,
    errors,
    longestGapMs(among = products) {
      const all = among.flatMap((one) => times.get(one) ?? []).toSorted((a, b) => a - b)
      return Math.max(0, ...all.map((time, at) => time - (all[at - 1] ?? time)))
    },
    countSince: (ms, among) =>
      among.flatMap((one) => times.get(one) ?? []).filter((time) => time > ms).length,
    async stop() {
      state.isOver = true
      await Promise.all(buying)
    },
  }
}

/** What is wrong: acknowledged orders that are gone, answers given twice, stock that is off. */
export async function auditLoad(
  { ledger, orders }: Shop, { acknowledged }: OrderLoad, status: string,
): Promise<string[]> {
  const wrong: string[] = []
  for (const [product, orderNos] of acknowledged) {
    if (new Set(orderNos).size !== orderNos.length) wrong.push('an order was given out twice')
    const left = await stockOf(ledger, product)
    if (left !== product.stock - orderNos.length) {
      wrong.push(`${product.stock - left} units left the stock for ${orderNos.length} orders`)
    }
    for (const orderNo of orderNos) {
      // The move repeats what was done and tells the state, whoever bought it.
      const { code } = await orders.move('pay', orderNo)
      if (code !== (status === 'paid' ? 'done' : 'moved')) wrong.push(`${orderNo}: ${code}`)
    }
  }
  return wrong
}
