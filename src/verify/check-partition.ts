/** All that is held against one partition and its orders. */
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { earnedViolations } from './earnings-invariants.ts'
import { elsewhereViolations } from './elsewhere.ts'
import { orderViolations } from './order-invariants.ts'
import { readPartition } from './partition.ts'
import { partitionViolations, type OrderNote } from './partition-invariants.ts'
import type { StoredOrder } from './read-order.ts'
import type { Tally, Violation } from './report.ts'

export interface Checking {
  readonly ledger: RedisClient
  readonly secrets: Secrets
  readonly tally: Tally
  /** Gathers the ids of all after-sales. */
  readonly aftersales: Set<string>
  /** The ledger's clock, ms. */
  readonly now: number
}

export async function checkPartition(
  { ledger, secrets, tally, aftersales, now }: Checking, partition: number,
  orderNos: ReadonlySet<string>, place: string,
): Promise<void> {
  const notes = new Map<string, OrderNote>()
  /** Of each order, as it was last read. */
  const found = new Map<string, readonly Violation[]>()
  const { view, moving } = await readPartition(ledger, partition, [...orderNos], place,
    async (read, view) => {
      const orders = read.flatMap(([, order]) => order ?? [])
      const whole = orders.filter(isWhole)
      const elsewhere = [
        ...await elsewhereViolations(ledger, whole, view),
        ...await earnedViolations(ledger, whole, view),
      ]
      for (const [orderNo] of read) {
        notes.delete(orderNo)
        found.delete(orderNo)
      }
      for (const order of orders) {
        notes.set(order.orderNo, noteOf(order))
        for (const { id } of order.aftersales) aftersales.add(id)
        const violations = [
          ...orderViolations(order, secrets),
          ...elsewhere.filter(({ subject }) => subject === order.orderNo),
        ]
        if (violations.length > 0) found.set(order.orderNo, violations)
      }
    })
  const isStill = ({ subject }: Violation): boolean =>
    !moving.orders.has(subject) && !moving.products.has(Number(subject))
  tally.count('partitions')
  tally.count('products', view.stock.size)
  tally.count('orders', notes.size)
  tally.count('moving', moving.orders.size)
  tally.add([...found.values()].flat().filter(isStill))
  tally.add(partitionViolations({ view, orders: notes, now }).filter(isStill))
}

const isWhole = ({ flaws }: StoredOrder): boolean => flaws.length === 0

const noteOf = (order: StoredOrder): OrderNote => ({
  productId: order.productId, status: order.status, held: order.held || 0,
  expiresAt: order.expiresAt, afterStatus: order.afterStatus,
  agent: order.agent, isFading: order.isFading, trialHeld: order.trialHeld,
  createdAt: order.createdAt,
})
