import { Type } from 'typebox'
import {
  Keyword, Link, MallPage, MallPageSize, UPSTREAM_FAILS,
} from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import { CLOSED, Nullable, Optional, Text } from '../contract/fields.ts'

export const cpsSearchShops = defineOperation({
  name: 'cps_search_shops',
  title: 'Mall A: search shops',
  description: 'Shops of mall A, when the user asks for a shop or a brand store. For '
    + 'goods use cps_smart_search.',
  access: 'key',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/mall-a/shops',
  input: Type.Object({
    q: Keyword,
    brand_only: Optional(Type.Boolean({ description: 'Only official brand stores' })),
    page: Optional(MallPage),
    page_size: Optional(MallPageSize),
  }, CLOSED),
  output: Type.Object({
    shops: Type.Array(Type.Object({
      shop_id: Text(64),
      title: Text(100),
      brand_store: Type.Boolean(),
      image: Nullable(Link),
      shop_url: Nullable(Link),
    }, CLOSED)),
    total: Nullable(Type.Integer({ minimum: 0 })),
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1 }),
  }, CLOSED),
  fails: UPSTREAM_FAILS,
  example: { q: '耳机', page_size: 2 },

  async handle(input, { caller, services }) {
    return await services.affiliate.shops(input, caller)
  },
})
