/** The five operations of a checkout. */
import type { AgentCaller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../contract/operation.ts'
import type { Change, CheckoutLine } from '../../orders/session-store.ts'
import type { Services } from '../../services.ts'
import { CHECKOUT, FULFILLMENT, ORDER } from '../capabilities.ts'
import { readItemDetail, skuIdIn } from '../catalog/product.ts'
import { defineUcp, idempotencyKeyOf, type UcpGiven } from '../operation.ts'
import { webhookUrlIn } from '../platform.ts'
import { detailsOf } from './delivery.ts'
import { CheckoutInput, CheckoutOutput, CompleteInput } from './fields.ts'
import { priceLine, readinessOf, type SessionContext, sessionOf } from './session.ts'

type KeyCall = Call<AgentCaller, Services>

const SHARED = {
  capability: CHECKOUT, access: 'key', output: CheckoutOutput,
} as const
const SESSION = { meta: { 'ucp-agent': { profile: 'https://platform.example/profile' } } }
const SESSION_ID = 'CK00000000EXAMP000'
const LINES = { checkout: { line_items: [{ item: { id: '10096101' }, quantity: 2 }] } }

const contextOf = (
  { active }: UcpGiven<unknown>, { services, caller }: KeyCall,
): SessionContext => ({ services, caller, active })

/** Of the payload as it came: with the same key another one is refused. */
const changeOf = (given: UcpGiven<unknown>): Change =>
  ({ key: idempotencyKeyOf(given), request: given.payload ?? null })

/** Every line with what it is an order of, and its price. */
async function draftOf(given: UcpGiven<CheckoutInput>, context: SessionContext) {
  const { line_items } = given.payload
  const taken = new Set<string>()
  const priced = await Promise.all(line_items.map(async ({ item, quantity, id }, at) => {
    const skuId = skuIdIn(item.id)
    const found = skuId === undefined ? undefined
      : await readItemDetail(context.services.goods, skuId)
    if (!found) {
      throw new Refusal('not_found', {
        reason: 'item_unavailable',
        hint: `$.line_items[${at}] names no item: take the id of a variant from the catalogue.`,
      })
    }
    const named = id !== undefined && LINE_ID.test(id) && !taken.has(id) ? id : `li_${at + 1}`
    taken.add(named)
    const line: CheckoutLine = {
      id: named, skuId: found.sku_id, productId: found.product_id,
      merchantId: found.merchant_id, qty: quantity,
    }
    return await priceLine(context, line)
  }))
  return { priced, details: detailsOf(given.payload, given.active.has(FULFILLMENT)) }
}

const LINE_ID = /^[0-9A-Za-z_-]{1,40}$/

/** The endpoint of the platform, which has to follow before there is anything to follow. */
async function followerOf(
  { active, profile }: UcpGiven<unknown>, { services: { events }, caller }: KeyCall,
): Promise<string | undefined> {
  const url = active.has(ORDER) ? webhookUrlIn(profile) : undefined
  return url === undefined ? undefined : await events.platforms.follow(caller, url)
}

export const createCheckout = defineUcp({
  ...SHARED,
  name: 'create_checkout',
  title: 'Open a checkout',
  description: 'Opens a checkout of up to 20 lines, by ids of variants. It reserves nothing: '
    + 'prices and stock are as they are now. Send buyer and destination here or with an update.',
  effect: 'create',
  route: 'POST /checkout-sessions',
  status: 201,
  payload: { name: 'checkout', schema: CheckoutInput },
  fails: ['not_found', 'idempotency_mismatch'],
  example: { ...SESSION, ...LINES },

  async handle(given, call) {
    const context = contextOf(given, call)
    const { priced, details } = await draftOf(given, context)
    if (priced.every(({ isSoldOut }) => isSoldOut)) {
      throw new Refusal('out_of_stock', { reason: 'out_of_stock', hint: 'Nothing of it is left.' })
    }
    const draft = { lines: priced.map(({ line }) => line), details }
    return await sessionOf(context,
      await call.services.checkouts.open(call.caller.agent, draft, changeOf(given)))
  },
})

export const getCheckout = defineUcp({
  ...SHARED,
  name: 'get_checkout',
  title: 'Read a checkout',
  description: 'The checkout as it is now, with its messages; after completion whether it is paid.',
  effect: 'read',
  route: 'GET /checkout-sessions/:id',
  fails: ['not_found'],
  example: { ...SESSION, id: SESSION_ID },

  async handle(given, call) {
    return await sessionOf(contextOf(given, call),
      await call.services.checkouts.read(call.caller.agent, given.id))
  },
})

export const updateCheckout = defineUcp({
  ...SHARED,
  name: 'update_checkout',
  title: 'Change a checkout',
  description: 'Replaces lines, buyer and destination of a checkout that is not completed: send '
    + 'all that it shall have.',
  effect: 'update',
  route: 'PUT /checkout-sessions/:id',
  payload: { name: 'checkout', schema: CheckoutInput },
  fails: ['not_found', 'order_state', 'idempotency_mismatch'],
  example: { ...SESSION, id: SESSION_ID, ...LINES },

  async handle(given, call) {
    const context = contextOf(given, call)
    const { priced, details } = await draftOf(given, context)
    const draft = { lines: priced.map(({ line }) => line), details }
    const { checkouts } = call.services
    return await sessionOf(context,
      await checkouts.replace(call.caller.agent, given.id, draft, changeOf(given)))
  },
})

export const completeCheckout = defineUcp({
  ...SHARED,
  name: 'complete_checkout',
  title: 'Complete a checkout',
  description: 'Orders every line, or none and says which line cannot be had. Call it when your '
    + 'user has confirmed lines, price and address. The buyer then pays on the page of '
    + 'continue_url; no payment credential is taken.',
  effect: 'create',
  route: 'POST /checkout-sessions/:id/complete',
  payload: { name: 'checkout', schema: CompleteInput },
  fails: ['not_found', 'order_state', 'idempotency_mismatch'],
  example: { ...SESSION, id: SESSION_ID, checkout: {} },

  async handle(given, call) {
    const context = contextOf(given, call)
    const { checkouts } = call.services
    const found = await checkouts.read(call.caller.agent, given.id)
    if (found.status === 'placed') return await sessionOf(context, found)
    const lines = await Promise.all(found.lines.map((line) => priceLine(context, line)))
    const { receiver, messages } = readinessOf(found, lines, given.active)
    // What has begun is ended, whatever has become of stock and prices meanwhile.
    const isReady = messages.length === 0 || found.status !== 'open'
    if (!receiver || !isReady) return await sessionOf(context, found)
    const follower = await followerOf(given, call)
    return await sessionOf(context, await checkouts.place(
      call.caller, given.id, { receiver, follower }, changeOf(given)))
  },
})

export const cancelCheckout = defineUcp({
  ...SHARED,
  name: 'cancel_checkout',
  title: 'Cancel a checkout',
  description: 'Ends a checkout that is not paid; what it had reserved is given back.',
  effect: 'update',
  route: 'POST /checkout-sessions/:id/cancel',
  fails: ['not_found', 'order_state', 'idempotency_mismatch'],
  example: { ...SESSION, id: SESSION_ID },

  async handle(given, call) {
    const { checkouts } = call.services
    return await sessionOf(contextOf(given, call),
      await checkouts.cancel(call.caller.agent, given.id, changeOf(given)))
  },
})
