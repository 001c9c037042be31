/** A whole purchase over UCP: what tests of its orders begin with. */
import { expect } from 'vitest'
import type { TestNode } from './node.ts'
import { type TestPlatform, UCP_FULFILLMENT, type UcpCall } from './ucp.ts'

/** Presses the button of the page of continue_url. */
export async function payAt(node: TestNode, continueUrl: string): Promise<string> {
  const { pathname, searchParams } = new URL(continueUrl)
  const { status, text } = await node.send('POST', pathname, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `t=${searchParams.get('t')}&lang=en`,
  })
  expect(status).toBe(200)
  return text
}

export interface Purchase {
  readonly checkoutId: string
  readonly orderId: string
  readonly continueUrl: string
}

/** One of each variant, held until it is paid. */
export async function completeAt(
  platform: TestPlatform, node: TestNode, call: UcpCall & { variants: readonly string[] },
): Promise<Purchase> {
  const { variants, ...rest } = call
  const { body: { id } } = await platform.rest(node, 'create_checkout', { ...rest, payload: {
    line_items: variants.map((variant) => ({ item: { id: variant }, quantity: 1 })),
    fulfillment: UCP_FULFILLMENT,
  } })
  const { body } = await platform.rest(node, 'complete_checkout', { ...rest, id, payload: {} })
  expect(body.status).toBe('requires_escalation')
  return { checkoutId: id, orderId: id.replace('CK', 'CO'), continueUrl: body.continue_url }
}

export async function purchaseAt(
  platform: TestPlatform, node: TestNode, call: UcpCall & { variants: readonly string[] },
): Promise<Purchase> {
  const made = await completeAt(platform, node, call)
  await payAt(node, made.continueUrl)
  return made
}
