/** The sandbox's invented merchants: sixteen in each of ten cities, each with its own terms. */
import { chance, type Chance } from './chance.ts'

export interface Merchant {
  readonly merchant_id: number
  readonly name: string
  /** Fen; from here on the freight is free. */
  readonly free_ship_threshold: number
  /** Fen, below the threshold. */
  readonly freight: number
}

const CITIES = ['杭州', '义乌', '广州', '深圳', '苏州', '成都', '武汉', '青岛', '泉州', '郑州']
const NAMES = [
  '禾屿', '澄溪', '木棠', '云陌', '拾光里', '北柚', '青梧', '锦穗', '鹿鸣谷', '半夏集',
  '沐川', '远帆记', '松间', '星渚', '果壳屋', '南桥',
]
const TRADES = ['优品', '供应链', '严选', '商贸', '百货', '工坊']
const MERCHANTS_PER_CATEGORY = 12

const merchants: readonly Merchant[] = CITIES.flatMap((city, cityAt) =>
  NAMES.map((name, nameAt) => {
    const index = cityAt * NAMES.length + nameAt
    const luck = chance('merchants', index)
    return {
      merchant_id: 1001 + index,
      name: `${city}${name}${luck.pick('trade', TRADES)}`,
      free_ship_threshold: luck.pick('threshold', [0, 2900, 3900, 5900, 8800, 9900]),
      freight: luck.pick('freight', [500, 600, 800, 1000, 1200]),
    }
  }))

/** A merchant that sells this category: each category has its own dozen. */
export function merchantFor(categoryId: number, luck: Chance): Merchant {
  const place = luck.integer('merchant', 0, MERCHANTS_PER_CATEGORY - 1)
  return merchants[(categoryId * 7 + place * 13) % merchants.length] as Merchant
}
