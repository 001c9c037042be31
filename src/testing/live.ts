/** Inputs that mean something on a running node: the table's examples with real identifiers. */
import { randomUUID } from 'node:crypto'
import { createOrder } from '../operations/create-order.ts'
import { createWebhook } from '../operations/create-webhook.ts'
import { searchGoods } from '../operations/search-goods.ts'
import type { OperationSpec } from '../contract/operation.ts'
import type { Orders } from '../orders/orders.ts'
import type { Answer, TestNode } from './node.ts'
import { RECEIVER } from './products.ts'

/** Nobody listens there. */
const HOOK_URL = 'http://127.0.0.1:9/hook'

export interface LiveFacts {
  readonly sku_id: number
  readonly product_id: number
  readonly merchant_id: number
  readonly order_no: string
  /** Of an order whose after-sale was taken back: that can be repeated for ever. */
  readonly withdrawn_order_no: string
  readonly webhook_id: string
  /** Of one that may be deleted. */
  readonly spare_webhook_id: string
}

/** An item in stock, and an order of it by this key. */
export async function liveFacts(node: TestNode, key: string): Promise<LiveFacts> {
  const found = await node.rest(searchGoods, { page_size: 50 }, key)
  const item = found.envelope.data.items
    .find(({ available_qty }: { available_qty: number }) => available_qty > 100)
  const { sku_id, product_id, merchant_id } = item
  const place = async (): Promise<Answer> =>
    await node.rest(createOrder, orderInput({ product_id, merchant_id }), key)
  const { envelope } = await place()
  const { agent_ref: agent, data: { order_no } } = envelope
  const withdrawn_order_no = await withdrawnOrder(node.services.orders, agent ?? '', async () =>
    (await place()).envelope.data.order_no as string)
  const newWebhook = async (): Promise<string> => (await node.rest(createWebhook,
    { url: HOOK_URL, events: ['webhook.test'] }, key)).envelope.data.webhook_id
  return {
    sku_id, product_id, merchant_id, order_no, withdrawn_order_no,
    webhook_id: await newWebhook(), spare_webhook_id: await newWebhook(),
  }
}

/** Ships an order, asks for its return and takes that back, before the sandbox gets further. */
export async function withdrawnOrder(
  orders: Orders, agent: string, place: () => Promise<string>,
): Promise<string> {
  for (let tries = 0; tries < 10; tries += 1) {
    const orderNo = await place()
    for (const name of ['pay', 'accept', 'ship'] as const) await orders.move(name, orderNo)
    const request = { order_no: orderNo, type: 'return_refund' } as const
    const isWithdrawn = await orders.requestAftersale(request, { agent, account: '' })
      .then(() => orders.cancelAftersale(agent, orderNo)).then(() => true, () => false)
    if (isWithdrawn) return orderNo
  }
  throw new Error('The sandbox was always faster.')
}

export const orderInput = (item: { product_id: number, merchant_id: number }) => ({
  idempotency_key: randomUUID(), merchant_id: item.merchant_id, product_id: item.product_id,
  qty: 1, receiver: { ...RECEIVER },
})

/** The operation's example, pointed at what exists. */
export function liveInput(
  { name, example }: OperationSpec, facts: LiveFacts,
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...structuredClone(example) as object }
  for (const field of ['sku_id', 'product_id', 'merchant_id', 'order_no'] as const) {
    if (field in input) input[field] = facts[field]
  }
  if (name === 'cancel_aftersale') input['order_no'] = facts.withdrawn_order_no
  if ('webhook_id' in input) {
    input['webhook_id'] = name === 'delete_webhook' ? facts.spare_webhook_id : facts.webhook_id
  }
  if ('item_id' in input && name === 'shelf_item') input['item_id'] = `shelf:${facts.sku_id}`
  if ('idempotency_key' in input) input['idempotency_key'] = randomUUID()
  return input
}
