/** Mall A passes what every mall has to pass; its own quirks stand in quirks.test.ts. */
import { describe } from 'vitest'
import { testMall } from '../conformance.ts'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { METHODS } from './signing.ts'
import { POOL } from './simulator/answers.ts'

const operations = {
  search: METHODS.search, items: METHODS.items, convert: METHODS.convert, orders: METHODS.orders,
}
const subId = (nth: number): string => POOL[nth] ?? ''

describe.each([
  ['positions, wrapped', { poolKind: 'adzone', answers: 'wrapped', signMethod: 'md5' }],
  ['channels, simplified', {
    poolKind: 'relation', answers: 'simplified', signMethod: 'hmac-sha256',
  }],
] as const)('%s', (_, settings) => {
  // Small pages make the places between them visible.
  testMall({
    mall: malls.mall_a, simulate: simulate.mall_a, operations, subId,
    settings: { ...settings, orderPageSize: 10 },
  })
})
