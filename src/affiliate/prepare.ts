/** What the first search would wait for: names and patterns are read, and the code has run once. */
import type { Item } from '../../adapters/index.ts'
import { buyOf } from './buy.ts'
import { rank } from './result.ts'
import { understand } from '../language/understand.ts'

const SENTENCES = ['200元以内的电热水壶 1.7升 不要塑料', 'two kettles under 300, no plastic']
const ROUNDS = 10

const sample = (source: 'mall_a' | 'mall_b', number: number): Item => ({
  source, id: String(number), title: `示例Sample EK-${100 + number} 电热水壶 1.7L 304不锈钢 白色`,
  brand: '示例 Sample', category: '厨房电器', shop: '示例旗舰店', images: [],
  price: {
    list_price: 9900 + number, coupon: null, conditions: [], freight: null,
    payable: 9900 + number,
  },
  special: null, sales: 100, rating: 4.5, reviews: null, url: null, coupon_url: null,
  commission: null,
})

/** About half a second: for a process that waits for something else. */
export function prepareSearch(): void {
  const items = Array.from({ length: 40 }, (_, at) =>
    sample(at % 2 === 0 ? 'mall_a' : 'mall_b', Math.floor(at / 2)))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const sentence of SENTENCES) {
      rank(understand(sentence), items, { pageSize: 8, buy: buyOf })
    }
  }
}
