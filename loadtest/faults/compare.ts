/**
 * After a run: the ledger, read past the code of the service, against every answer that the agents
 * got.
 */
import { Cluster } from 'ioredis'
import { partitionOfOrder } from '../../src/contract/ids.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { everyPartition } from '../../src/redis/doorbell.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { type KeyCommand, runMany } from '../../src/redis/send.ts'
import type { Model, Purchase } from './model.ts'
import type { Testbed } from './testbed.ts'

const AFTERSALES_MAX = 5

/** Timelines that an order may have, as one expression over the events' names. */
const LEGAL = new RegExp(`^created( ${[
  'closed',
  'paid( merchant_accepted)? closed refunded',
  'paid( merchant_accepted)?( aftersale_requested)? refunded',
  'paid merchant_accepted shipped( aftersale_requested)*( delivered( aftersale_requested)*)?'
    + '( completed| refunded)?',
  'paid( merchant_accepted)?',
].join('| ')})?$`)
const FINAL = ['closed', 'completed', 'refunded']
/** A closed order holds nothing; neither does one whose goods came back or were never sent. */
const holds = ({ fields, events }: KeptOrder): boolean => {
  const wasSent = events.some(({ event }) => event === 'shipped')
  if (fields['status'] === 'closed') return false
  if (fields['status'] !== 'refunded') return true
  return wasSent && fields['after_type'] !== 'return_refund'
}

export async function compare(
  testbed: Pick<Testbed, 'ledger'>, model: Model,
): Promise<KeptOrder[]> {
  const [orders, stock] = await Promise.all([keptOrders(testbed.ledger), keptStock(testbed.ledger)])
  const kept = new Map<string, KeptOrder[]>()
  for (const order of orders) {
    const attempt = attemptOf(order.fields['agent'],
      (JSON.parse(order.fields['given'] ?? '{}') as { attempt?: string }).attempt)
    kept.set(attempt, [...kept.get(attempt) ?? [], order])
  }
  for (const purchase of model.purchases) {
    const attempt = attemptOf(purchase.buyer.agent, purchase.input.idempotency_key)
    comparePurchase(model, purchase, kept.get(attempt) ?? [])
    kept.delete(attempt)
  }
  for (const order of [...kept.values()].flat()) {
    model.violated('no order without a buyer', order.orderNo, JSON.stringify(order.fields))
  }
  const held = new Map<number, number>()
  for (const order of orders) {
    compareTimeline(model, order)
    const productId = Number(order.fields['product_id'])
    const units = holds(order) ? Number(order.fields['qty']) : 0
    held.set(productId, (held.get(productId) ?? 0) + units)
  }
  for (const { productId, stock: left, supplied } of stock) {
    const inOrders = held.get(productId) ?? 0
    if (left < 0) model.violated('stock never below zero', String(productId), String(left))
    if (supplied !== left + inOrders) {
      model.violated('supplied = stock + held', String(productId),
        `${supplied} supplied, ${left} left, ${inOrders} with orders`)
    }
  }
  comparePersons(model, orders)
  return orders
}

const attemptOf = (agent?: string, attempt?: string): string => `${agent} ${attempt}`

function comparePurchase(model: Model, purchase: Purchase, orders: readonly KeptOrder[]): void {
  const { placed, action, pay, cancel, input } = purchase
  const subject = placed?.order_no ?? `key ${input.idempotency_key}`
  const broken = (rule: string, detail: unknown): void =>
    model.violated(rule, subject, JSON.stringify(detail))
  const [order] = orders
  if (orders.length > 1) broken('one order for one key', orders.map(({ orderNo }) => orderNo))
  if (placed && !order) return broken('an acknowledged order is never lost', action)
  if (!placed && order && action.unknown === 0) broken('a refusal has no effect', action)
  if (!order) return
  const { fields, events } = order
  if (placed && (order.orderNo !== placed.order_no || Number(fields['amount']) !== placed.amount
    || Number(fields['qty']) !== placed.qty)) {
    broken('an acknowledged order never changes', { placed, fields })
  }
  const at = (name: string): number | undefined => events.find(({ event }) => event === name)?.at
  const [paidAt, closedAt, expiresAt] = [at('paid'), at('closed'), Number(fields['expires_at'])]
  if (pay.done > 0 && paidAt === undefined && cancel.sent === 0) {
    broken('an acknowledged payment is never lost', events)
  }
  if (pay.done + pay.unknown === 0 && paidAt !== undefined) {
    broken('nobody paid it', { pay, events })
  }
  if (paidAt !== undefined && paidAt >= expiresAt) broken('paid within its window', fields)
  if (closedAt !== undefined && cancel.done + cancel.unknown === 0) {
    if (paidAt !== undefined) broken('a paid order never closes by itself', events)
    if (closedAt < expiresAt) broken('no expiry before its time', { fields, events })
  }
  if (cancel.done > 0 && fields['status'] !== 'closed') {
    broken('an acknowledged cancel is never lost', events)
  }
  for (const { ids, action: request } of purchase.aftersales) {
    const lost = [...ids].filter((id) => !order.aftersales.has(id))
    if (lost.length > 0) broken('an acknowledged after-sale is never lost', { lost, request })
  }
  const filed = purchase.aftersales
    .reduce((sum, one) => sum + one.action.done + one.action.unknown, 0)
  if (order.aftersales.size > filed) broken('no after-sale that nobody asked for', order.fields)
}

function compareTimeline(model: Model, { orderNo, fields, events }: KeptOrder): void {
  const names = events.map(({ event }) => event).join(' ')
  if (!LEGAL.test(names)) model.violated('a legal timeline', orderNo, names)
  const times = events.map(({ at }) => at)
  if (times.some((time, index) => time < (times[index - 1] ?? 0))) {
    model.violated('a timeline in order', orderNo, JSON.stringify(events))
  }
  if (!FINAL.includes(fields['status'] ?? '')) {
    model.violated('every order comes to its end', orderNo, JSON.stringify({ fields, names }))
  }
}

/** Whoever asks for after-sales: counted by what was really filed, taken back or not. */
function comparePersons(model: Model, orders: readonly KeptOrder[]): void {
  const persons = new Map<string, number>()
  for (const { orderNo, aftersales } of orders) {
    const person = model.find(orderNo)?.person
    if (person === undefined) continue
    persons.set(person, (persons.get(person) ?? 0) + aftersales.size)
  }
  for (const [person, filed] of persons) {
    if (filed > AFTERSALES_MAX) {
      model.violated('at most 5 after-sales for a person', person, String(filed))
    }
  }
}

interface KeptEvent {
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

interface KeptStock {
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
