/** What the ledger holds after a run, read past the code of the service. */
import { Cluster } from 'ioredis'
import { partitionOfOrder } from '../../contract/ids.ts'
import type { RedisClient } from '../../redis/connect.ts'
import { everyPartition } from '../../redis/doorbell.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { runMany, type KeyCommand } from '../../redis/slots.ts'

export interface KeptEvent {
  readonly event: string
  readonly at: number
}

export interface KeptOrder {
  readonly orderNo: string
  readonly fields: Readonly<Record<string, string>>
  readonly events: readonly KeptEvent[]
  /** Of its after-sales, by id. */
  readonly aftersales: ReadonlyMap<string, string>
}

const SCAN_COUNT = 1000
const ORDER_KEY = /:order:(AM[0-9A-Z]{18})$/

export async function keptOrders(ledger: RedisClient): Promise<KeptOrder[]> {
  const found = new Set<string>()
  const servers = ledger instanceof Cluster ? ledger.nodes('master') : [ledger]
  for (const server of servers) {
    let cursor = '0'
    do {
      const [next, names] = await server.scan(cursor, 'MATCH', '*:order:AM*', 'COUNT', SCAN_COUNT)
      for (const name of names) {
        const orderNo = ORDER_KEY.exec(name)?.[1]
        if (orderNo) found.add(orderNo)
      }
      cursor = next
    } while (cursor !== '0')
  }
  const orderNos = [...found]
  const read = (command: (partition: number, orderNo: string) => KeyCommand) =>
    runMany(ledger, orderNos.map((orderNo) => command(partitionOfOrder(orderNo) ?? 0, orderNo)))
  const [orders, events, aftersales] = await Promise.all([
    read((partition, orderNo) => ['hgetall', keys.order(partition, orderNo)]),
    read((partition, orderNo) => ['lrange', keys.events(partition, orderNo), 0, -1]),
    read((partition, orderNo) => ['hgetall', keys.after(partition, orderNo)]),
  ])
  return orderNos.map((orderNo, index) => ({
    orderNo,
    fields: fieldsOf(orders[index]),
    events: (events[index] as string[]).map((line) => JSON.parse(line) as KeptEvent),
    aftersales: aftersalesOf(fieldsOf(aftersales[index])),
  }))
}

/** A pipeline's HGETALL comes as a list or as an object. */
function fieldsOf(reply: unknown): Record<string, string> {
  if (!Array.isArray(reply)) return reply as Record<string, string>
  return Object.fromEntries(Array.from({ length: reply.length / 2 }, (_, index) =>
    [reply[index * 2], reply[index * 2 + 1]] as [string, string]))
}

function aftersalesOf(fields: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(fields).filter(([name]) => name.endsWith('.status'))
    .map(([name, status]) => [name.slice(0, -'.status'.length), status]))
}

export interface KeptStock {
  readonly productId: number
  readonly stock: number
  readonly supplied: number
}

export async function keptStock(ledger: RedisClient): Promise<KeptStock[]> {
  const read = async (key: (partition: number) => string) =>
    (await runMany(ledger, everyPartition().map((partition) => ['hgetall', key(partition)])))
      .map(fieldsOf)
  const [stock, supplied] = await Promise.all([read(keys.stock), read(keys.supplied)])
  return supplied.flatMap((products, partition) => Object.entries(products).map(([id, units]) => ({
    productId: Number(id), supplied: Number(units), stock: Number(stock[partition]?.[id]),
  })))
}
