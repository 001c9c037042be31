/** Orders over REST, placed with a key and paid by a person: what tests of events begin with. */
import { payOrder } from './document-client.ts'
import type { TestNode } from './node.ts'
import { attemptAt, supplyProduct } from './products.ts'

/** One piece of a product of its own, not paid. */
export async function orderAt(
  node: TestNode, key: string,
): Promise<{ readonly order_no: string, readonly pay_url: string }> {
  const { idempotency_key, ...body } = attemptAt(await supplyProduct(node.services.ledger))
  const placed = await node.send('POST', '/v1/orders', {
    key, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  return placed.envelope.data
}

/** The same, paid; the sandbox's merchant does the rest. */
export async function buyAt(node: TestNode, key: string): Promise<string> {
  const { order_no, pay_url } = await orderAt(node, key)
  await payOrder(node.url, pay_url)
  return order_no
}
