/** The four operations of a cart. */
import type { AgentCaller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../contract/operation.ts'
import { isoTime } from '../../contract/time.ts'
import type { Cart } from '../../orders/carts.ts'
import type { Services } from '../../services.ts'
import { CART } from '../capabilities.ts'
import { CURRENCY } from '../catalog/product.ts'
import { changeOf, contextOf, pricedLines } from '../checkout/draft.ts'
import { lineItem, priceLine, type SessionContext, totalsOf } from '../checkout/session.ts'
import { defineUcp, type UcpGiven } from '../operation.ts'
import { errorMessage } from '../problems.ts'
import { CartInput, CartOutput } from './fields.ts'

type KeyCall = Call<AgentCaller, Services>

const SHARED = { capability: CART, access: 'key', output: CartOutput } as const
const SESSION = { meta: { 'ucp-agent': { profile: 'https://platform.example/profile' } } }
const CART_ID = 'CA00000000EXAMP000'
const LINES = { cart: { line_items: [{ item: { id: '10096101' }, quantity: 2 }] } }

async function draftOf(given: UcpGiven<CartInput>, context: SessionContext) {
  const { line_items, buyer } = given.payload
  const priced = await pricedLines(line_items, context)
  return {
    isSoldOut: priced.length > 0 && priced.every(({ isSoldOut }) => isSoldOut),
    draft: {
      // Prices of a cart are as they are: a quote is for who means to buy.
      lines: priced.map(({ line: { quote: _, ...line } }) => line),
      details: buyer ? { buyer } : {},
    },
  }
}

/** Prices are estimates: they are what they are at each answer. */
async function cartAnswer(
  context: SessionContext, { id, lines, details, endsAt }: Cart,
): Promise<object> {
  const priced = await Promise.all(lines.map((line) => priceLine(context, line)))
  const messages = priced.flatMap(({ problem }, at) => problem
    ? [errorMessage(problem.code, problem.content, 'recoverable', `$.line_items[${at}]`)] : [])
  return {
    id,
    currency: CURRENCY,
    ...(details['buyer'] !== undefined && { buyer: details['buyer'] }),
    line_items: priced.map(lineItem),
    totals: totalsOf(priced),
    ...(messages.length > 0 && { messages }),
    expires_at: isoTime(endsAt),
  }
}

export const createCart = defineUcp({
  ...SHARED,
  name: 'create_cart',
  title: 'Open a cart',
  description: 'Collects up to 20 lines before your user means to buy, for 30 days. Prices are '
    + 'estimates, and nothing is reserved. To buy: create_checkout with its cart_id.',
  effect: 'create',
  route: 'POST /carts',
  status: 201,
  payload: { name: 'cart', schema: CartInput },
  fails: ['not_found', 'idempotency_mismatch'],
  example: { ...SESSION, ...LINES },

  async handle(given, call: KeyCall) {
    const context = contextOf(given, call)
    const { draft, isSoldOut } = await draftOf(given, context)
    if (isSoldOut) {
      throw new Refusal('out_of_stock', { reason: 'out_of_stock', hint: 'Nothing of it is left.' })
    }
    const { carts } = call.services
    return await cartAnswer(context, await carts.open(call.caller.agent, draft, changeOf(given)))
  },
})

export const getCart = defineUcp({
  ...SHARED,
  name: 'get_cart',
  title: 'Read a cart',
  description: 'The cart with the prices and the stock of now.',
  effect: 'read',
  route: 'GET /carts/:id',
  fails: ['not_found'],
  example: { ...SESSION, id: CART_ID },

  async handle(given, call: KeyCall) {
    return await cartAnswer(contextOf(given, call),
      await call.services.carts.read(call.caller.agent, given.id))
  },
})

export const updateCart = defineUcp({
  ...SHARED,
  name: 'update_cart',
  title: 'Change a cart',
  description: 'Replaces lines and buyer of a cart: send all that it shall have.',
  effect: 'update',
  route: 'PUT /carts/:id',
  payload: { name: 'cart', schema: CartInput },
  fails: ['not_found', 'idempotency_mismatch'],
  example: { ...SESSION, id: CART_ID, ...LINES },

  async handle(given, call: KeyCall) {
    const context = contextOf(given, call)
    const { draft } = await draftOf(given, context)
    return await cartAnswer(context, await call.services.carts.replace(
      call.caller.agent, given.id, draft, changeOf(given)))
  },
})

export const cancelCart = defineUcp({
  ...SHARED,
  name: 'cancel_cart',
  title: 'Drop a cart',
  description: 'Ends a cart, and says what was in it. A checkout that it became stays.',
  effect: 'update',
  route: 'POST /carts/:id/cancel',
  fails: ['not_found', 'idempotency_mismatch'],
  example: { ...SESSION, id: CART_ID },

  async handle(given, call: KeyCall) {
    return await cartAnswer(contextOf(given, call), await call.services.carts.cancel(
      call.caller.agent, given.id, changeOf(given)))
  },
})
