/** The five operations of a checkout. */
import type { AgentCaller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../contract/operation.ts'
import type { Checkout } from '../../orders/checkouts.ts'
import type { Services } from '../../services.ts'
import { CART, CHECKOUT, FULFILLMENT, ORDER } from '../capabilities.ts'
import { defineUcp, type UcpGiven } from '../operation.ts'
import { webhookUrlIn } from '../platform.ts'
import { detailsOf } from './delivery.ts'
import { changeOf, contextOf, pricedLines } from './draft.ts'
import {
  CheckoutInput, CheckoutOutput, CompleteInput, CreateInput, type UcpBuyer,
} from './fields.ts'
import { priceLine, readinessOf, type SessionContext, sessionOf } from './session.ts'

type KeyCall = Call<AgentCaller, Services>

const SHARED = {
  capability: CHECKOUT, access: 'key', output: CheckoutOutput,
} as const
const SESSION = { meta: { 'ucp-agent': { profile: 'https://platform.example/profile' } } }
const SESSION_ID = 'CK00000000EXAMP000'
const LINES = { checkout: { line_items: [{ item: { id: '10096101' }, quantity: 2 }] } }

async function draftOf(given: UcpGiven<CheckoutInput>, context: SessionContext) {
  const priced = await pricedLines(given.payload.line_items, context)
  return { priced, details: detailsOf(given.payload, given.active.has(FULFILLMENT)) }
}

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
  payload: { name: 'checkout', schema: CreateInput },
  fails: ['not_found', 'idempotency_mismatch'],
  example: { ...SESSION, ...LINES },

  async handle(given, call) {
    const context = contextOf(given, call)
    const { cart_id: cartId, line_items: { length } } = given.payload
    if (cartId !== undefined && given.active.has(CART)) {
      return await sessionOf(context, await convertCart(given, cartId, context))
    }
    if (length === 0) {
      throw new Refusal('invalid_request', {
        fields: [{ path: 'checkout.line_items', problem: 'must have a line, or name a cart_id' }],
      })
    }
    const { priced, details } = await draftOf(given, context)
    if (priced.every(({ isSoldOut }) => isSoldOut)) {
      throw new Refusal('out_of_stock', { reason: 'out_of_stock', hint: 'Nothing of it is left.' })
    }
    const draft = { lines: priced.map(({ line }) => line), details }
    return await sessionOf(context,
      await call.services.checkouts.open(call.caller.agent, draft, changeOf(given)))
  },
})

/** Lines and buyer are the cart's; the destination is what the request says. */
async function convertCart(
  given: UcpGiven<CreateInput>, cartId: string, context: SessionContext,
): Promise<Checkout> {
  const { services: { carts }, caller: { agent } } = context
  return await carts.convert(agent, cartId, async ({ lines, details: { buyer } }) => {
    const priced = await Promise.all(lines.map((line) => priceLine(context, line)))
    return {
      lines: priced.map(({ line }) => line),
      details: detailsOf({
        line_items: [],
        ...(given.payload.fulfillment && { fulfillment: given.payload.fulfillment }),
        ...(buyer !== undefined && { buyer: buyer as UcpBuyer }),
      }, given.active.has(FULFILLMENT)),
    }
  }, changeOf(given))
}

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
    const { checkouts, carts } = call.services
    const changed = await checkouts.replace(call.caller.agent, given.id, draft, changeOf(given))
    await carts.follow(changed)
    return await sessionOf(context, changed)
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
    const change = changeOf(given)
    /** Nothing is to be done, and the key is this request's nevertheless. */
    const asItIs = async (): Promise<object> => {
      await checkouts.claim(call.caller.agent, given.id, change)
      return await sessionOf(context, found)
    }
    if (found.status === 'placed') return await asItIs()
    const lines = await Promise.all(found.lines.map((line) => priceLine(context, line)))
    const { receiver, messages } = readinessOf(found, lines, given.active)
    // What has begun is ended, whatever has become of stock and prices meanwhile.
    const isReady = messages.length === 0 || found.status !== 'open'
    if (!receiver || !isReady) return await asItIs()
    const follower = await followerOf(given, call)
    const placed = await checkouts.place(call.caller, given.id, { receiver, follower }, change)
    if (placed.status === 'placed') await call.services.carts.end(placed)
    return await sessionOf(context, placed)
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
