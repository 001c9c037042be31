import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import {
  CLOSED, IdempotencyKey, ITEM_EXAMPLE, MerchantId, OneOf, Optional, ProductId, Receiver, restOnly,
  UserRef,
} from '../contract/fields.ts'
import { ORDER_PROPERTIES, QuoteToken, RECEIVER_EXAMPLE } from './order-fields.ts'

export const createOrder = defineOperation({
  name: 'create_order',
  title: 'Place an order',
  description: 'Orders a search_goods item, once your user has confirmed item, quantity and '
    + 'receiver. The server computes the price, in fen: send none. After a timeout or 503 repeat '
    + 'the call with the same idempotency_key: it never makes a second order. Then show pay_url '
    + 'as render_hint says and poll get_order_status. Mall offers are bought by a convert tool.',
  access: 'key',
  effect: 'create',
  route: 'POST /orders',
  input: Type.Object({
    idempotency_key: IdempotencyKey,
    merchant_id: MerchantId,
    product_id: ProductId,
    qty: Type.Integer({ minimum: 1, maximum: 99, description: 'Pieces, at most qty_cap' }),
    receiver: Receiver,
    user_ref: Optional(UserRef),
    display: Optional(OneOf(['desktop', 'mobile'], 'Where pay_url is shown')),
    /** No tool gives one: a preview is REST's. */
    quote_token: Optional(restOnly(QuoteToken)),
  }, CLOSED),
  output: Type.Object({
    ...ORDER_PROPERTIES,
    render_hint: OneOf(['qrcode', 'redirect']),
    expire_in_minutes: restOnly(Type.Integer({
      minimum: 1, description: 'The whole payment window, in minutes',
    })),
    duplicate: Type.Boolean({ description: 'True when this key had placed the order before' }),
  }, CLOSED),
  fails: [
    'idempotency_mismatch', 'not_found', 'merchant_mismatch', 'qty_over_cap', 'out_of_stock',
    'price_changed', 'owner_limit', 'order_limit',
  ],
  example: {
    idempotency_key: '7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10',
    merchant_id: ITEM_EXAMPLE.merchant_id,
    product_id: ITEM_EXAMPLE.product_id,
    qty: 2,
    receiver: RECEIVER_EXAMPLE,
    user_ref: 'user-42',
  },
  async handle(input, { caller, services }) {
    return await services.orders.place(input, caller)
  },
})
