/** The food platform passes what every mall has to pass; its quirks stand in quirks.test.ts. */
import { testMall } from '../conformance.ts'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { OPERATIONS } from './signing.ts'

testMall({
  mall: malls.food, simulate: simulate.food,
  operations: {
    search: OPERATIONS.coupons, items: OPERATIONS.coupons, convert: OPERATIONS.convert,
    orders: OPERATIONS.orders,
  },
  counts: false,
  // Small pages make scrolling visible.
  settings: { orderPageSize: 10 },
})
