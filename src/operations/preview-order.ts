import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import {
  CLOSED, Fen, ITEM_EXAMPLE, MerchantId, Optional, ProductId, Text, Time,
} from '../contract/fields.ts'
import { ORDER_PROPERTIES, OrderItem, QuoteToken } from './order-fields.ts'

const { product_id, sku_id, title, qty, unit_price } = OrderItem.properties

export const previewOrder = defineOperation({
  name: 'preview_order',
  title: 'Preview an order',
  description: 'What an order would cost just now, in fen, with freight, quantity cap and the '
    + 'stock as it is; orders and reserves nothing. Pass quote_token to create_order: if the price '
    + 'has changed by then it answers price_changed and places no order.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'POST /orders/preview',
  input: Type.Object({
    merchant_id: MerchantId,
    product_id: ProductId,
    qty: Type.Integer({ minimum: 1, maximum: 99, description: 'Pieces' }),
  }, CLOSED),
  output: Type.Object({
    product_id, sku_id, title, qty, unit_price,
    goods_amount: ORDER_PROPERTIES.goods_amount,
    freight: ORDER_PROPERTIES.freight,
    free_ship_threshold: Fen('Goods worth this much in fen ship free; 0: all do'),
    amount: ORDER_PROPERTIES.amount,
    grand_total: ORDER_PROPERTIES.grand_total,
    qty_cap: Type.Integer({ minimum: 1, description: 'Most pieces in one order' }),
    available_qty: Type.Integer({ minimum: 0 }),
    inventory_snapshot_at: Time,
    orderable: Type.Boolean({ description: 'Whether this quantity can be ordered' }),
    why: Optional(Text(200, 'Why not')),
    quote_token: QuoteToken,
  }, CLOSED),
  fails: ['not_found', 'merchant_mismatch'],
  example: { merchant_id: ITEM_EXAMPLE.merchant_id, product_id: ITEM_EXAMPLE.product_id, qty: 2 },
  async handle(input, { caller, services }) {
    return await services.orders.preview(input, caller)
  },
})
