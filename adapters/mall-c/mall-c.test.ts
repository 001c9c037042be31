/** Mall C passes what every mall has to pass; its own quirks stand in quirks.test.ts. */
import { testMall } from '../conformance.ts'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { TYPES } from './signing.ts'

testMall({
  mall: malls.mall_c, simulate: simulate.mall_c,
  operations: {
    search: TYPES.search, items: TYPES.detail, convert: TYPES.convert, orders: TYPES.orders,
  },
  // Small pages make the reading from the last page on visible.
  settings: { orderPageSize: 10 },
})
