/** What answers gave, for the examples of the tools that come after them. */
import { effect, signal } from '@preact/signals'
import { apiKey, chosenAgent, pastedKey, session } from '../../session.ts'
import type { Tool } from '../../types.ts'
import { newUuid, type Schema, type Values } from './schema.ts'

const ITEM_FIELDS = ['sku_id', 'product_id', 'merchant_id'] as const
type Item = Readonly<Record<(typeof ITEM_FIELDS)[number], number>>

export interface Carried {
  /** An order is visible to the agent that placed it alone. */
  readonly orders: Readonly<Record<string, string>>
  readonly item?: Item
  /** `source:id`, the newest first. */
  readonly itemIds: readonly string[]
}

const NOTHING: Carried = { orders: {}, itemIds: [] }
const ITEM_IDS_MAX = 60
/** As many as the example of an order takes. */
const PIECES = 2

export const carried = signal<Carried>(NOTHING)
// Whoever signs in next may be somebody else.
effect(() => { if (session.value === null) carried.value = NOTHING })

/** Whose orders the calls see. */
export const signedFor = (): string => pastedKey.value || (chosenAgent.value ?? '')

/** The agent that the session signs for; undefined where the page has a key, or no agent. */
export const sessionAgent = (): string | undefined =>
  (apiKey.value === '' ? chosenAgent.value : undefined)

export function rememberOrder(owner: string, orderNo: string): void {
  carried.value = { ...carried.value, orders: { ...carried.value.orders, [owner]: orderNo } }
}

/** Takes what later examples can use from the data of an answer. */
export function remember(data: Values): void {
  if (typeof data['order_no'] === 'string') rememberOrder(signedFor(), data['order_no'])
  const items = (Array.isArray(data['items']) ? data['items'] : [data]) as readonly Values[]
  const item = items.find(isOrderable) as Item | undefined
  const ids = items.map(({ item_id: id }) => id).filter((id) => typeof id === 'string')
  carried.value = {
    ...carried.value,
    ...(item && { item }),
    itemIds: [...new Set([...ids, ...carried.value.itemIds])].slice(0, ITEM_IDS_MAX),
  }
}

const isOrderable = (item: Values): boolean =>
  ITEM_FIELDS.every((name) => typeof item[name] === 'number')
  && Number(item['available_qty'] ?? 0) >= PIECES && Number(item['qty_cap'] ?? PIECES) >= PIECES

const fits = ({ pattern, anyOf = [] }: Schema, text: string): boolean =>
  (pattern !== undefined && new RegExp(pattern, 'u').test(text))
  || anyOf.some((schema) => fits(schema, text))

/** Undefined where nothing is known that the field takes. */
function valueOf(name: string, schema: Schema, example: unknown, known: Carried): unknown {
  const { item, itemIds } = known
  if (name === 'order_no') return known.orders[signedFor()]
  if (item && name in item) return item[name as keyof Item]
  if (name === 'item_id') return itemIds.find((id) => fits(schema, id))
  if (name !== 'items' || !Array.isArray(example)) return undefined
  const found = itemIds.filter((id) => fits(schema.items ?? {}, id)).slice(0, example.length)
  return found.length === example.length ? found : undefined
}

export interface FirstValues {
  readonly values: Values
  /** Fields that an earlier answer filled in. */
  readonly filled: readonly string[]
}

/** The example with what is known, and with an idempotency key of its own where it has one. */
export function firstValues({ example, input }: Tool, known: Carried): FirstValues {
  const { properties = {} } = input as Schema
  const found = Object.entries(example).flatMap(([name, value]) => {
    const given = valueOf(name, properties[name] ?? {}, value, known)
    return given === undefined ? [] : [[name, given] as const]
  })
  return {
    values: {
      ...example, ...Object.fromEntries(found),
      ...('idempotency_key' in example && { idempotency_key: newUuid() }),
    },
    filled: found.map(([name]) => name),
  }
}
