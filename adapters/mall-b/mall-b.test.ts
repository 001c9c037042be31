/** Mall B passes what every mall has to pass; its own quirks stand in quirks.test.ts. */
import { testMall } from '../conformance.ts'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { METHODS } from './signing.ts'

testMall({
  mall: malls.mall_b, simulate: simulate.mall_b,
  operations: {
    search: METHODS.goods, items: METHODS.goods, convert: METHODS.convertSubUnion,
    orders: METHODS.orders,
  },
  // Small pages make paging and the halving of windows visible.
  settings: { orderPageSize: 10 },
})
