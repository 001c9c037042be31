/** The end of an order that was closed unpaid, where older code gave it none. */
import { partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

const orderFade = defineScript('order-fade', ['order', 'events', 'fading'],
  ['order_no', 'fade_ms'], (fadesAt: number) => fadesAt)

/** Resolves with the time (ms) at which the order is dropped; undefined for one that is kept. */
export async function fadeOrder(
  ledger: RedisClient, orderNo: string, unpaidKeptMs: number,
): Promise<number | undefined> {
  const partition = partitionOfOrder(orderNo) ?? 0
  const fadesAt = await orderFade.run(ledger, {
    order: keys.order(partition, orderNo),
    events: keys.events(partition, orderNo),
    fading: keys.fading(partition),
  }, { order_no: orderNo, fade_ms: unpaidKeptMs })
  return fadesAt > 0 ? fadesAt : undefined
}
