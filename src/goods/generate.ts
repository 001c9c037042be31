/** The sandbox catalogue: lines as an operator's file would have them, from a seed. */
import { generatedProduct, type GeneratedProduct, priceEnding } from './generated-product.ts'
import type { CatalogueLine, Supply } from './line.ts'
import { createRandom, type Random } from './random.ts'

const FIRST_PRODUCT_ID = 100_001
const TITLE_LENGTH_MAX = 120

export interface GenerateOptions {
  readonly items: number
  readonly seed: string
}

export function* generateCatalogue({ items, seed }: GenerateOptions): Generator<CatalogueLine> {
  for (let index = 0; index < items; index += 1) yield catalogueLine(seed, index)
}

/** Its index among the generated products; undefined where the generator would not give the id. */
export const indexOfProduct = (productId: number): number | undefined =>
  (productId >= FIRST_PRODUCT_ID ? productId - FIRST_PRODUCT_ID : undefined)

/** The line of one generated product; a pure function of seed and index. */
export function catalogueLine(seed: string, index: number): CatalogueLine {
  const product = generatedProduct(seed, index)
  const supply = supplyOf(product)
  const { kind, category, family, random, shared } = product
  return {
    product_id: FIRST_PRODUCT_ID + index,
    supply,
    title: titleOfProduct(product),
    category_id: category.category_id,
    kind: kind.kind,
    ...(family && { group_id: `g${FIRST_PRODUCT_ID + family.first}` }),
    brand: product.brandText,
    retail_price: product.basePrice,
    ...(supply === 'own' ? ownFacts(product) : mallFacts(product, supply)),
    agent_desc: describe(product),
    aftersale_rules: category.aftersale_rules,
    specs: specsOf(product),
    sales: Math.floor(10 ** (random.unit('sales') * 4.3)) - 1,
    rating: Math.round((3.8 + 1.2 * Math.sqrt(shared.unit('rating'))) * 10) / 10,
  }
}

function supplyOf({ isOwn, shared }: GeneratedProduct): Supply {
  return isOwn ? 'own' : shared.pick('supply', ['mall_a', 'mall_b', 'mall_c'] as const)
}

function ownFacts({ kind, category, random, shared }: GeneratedProduct) {
  const merchant = merchantFor(category.category_id, shared)
  const drawn = random.unit('stock')
  const stock = drawn < 0.02 ? 0
    : drawn < 0.05 ? random.integer('units', 1, 5) : random.integer('units', 20, 2000)
  return {
    stock,
    qty_cap: shared.unit('cap') < 0.05 ? shared.integer('cap units', 1, 5) : 99,
    merchant_id: merchant.merchant_id,
    shop: merchant.name,
    ship_within_hours: shared.pick('ship', kind.ship_within_hours),
    free_ship_threshold: merchant.free_ship_threshold,
    freight: merchant.freight,
  }
}

const MALL_SHOPS = ['旗舰店', '专营店', '专卖店', '优选店'] as const

function mallFacts({ kind, brand, basePrice, random, shared }: GeneratedProduct, supply: Supply) {
  const amount = priceEnding(basePrice * (0.04 + shared.unit('coupon') * 0.14)) + 100
  const couponFits = shared.unit('has coupon') < 0.4 && amount < basePrice / 2
  return {
    qty_cap: 99,
    merchant_id: 0,
    shop: `${brand.zh}${shared.pick('shop', MALL_SHOPS)}`,
    ship_within_hours: shared.pick('ship', kind.ship_within_hours),
    free_ship_threshold: 0,
    freight: 0,
    external_id: externalId(supply, random.integer('external', 1, 899_999_999)),
    ...(couponFits && {
      coupon: { amount: Math.floor(amount / 100) * 100, threshold: Math.floor(basePrice * 0.9) },
    }),
  }
}

/** Ids look as each platform's do: letters and digits at A and C, digits at B. */
function externalId(supply: Supply, number: number): string {
  if (supply === 'mall_b') return `1000${String(number).padStart(9, '0')}`
  const letters = (number * 2_654_435_761 % 2 ** 32).toString(36).toUpperCase().padStart(7, '0')
  const tail = number.toString(36).padStart(6, '0')
  return supply === 'mall_a' ? `AAG${letters}${tail}mN3p` : `E9r${tail}_${letters}Zq8`
}

export function titleOfProduct(product: GeneratedProduct): string {
  const { brand, model, kind, attributes, features, scenes, pack, family } = product
  const shown = attributes.filter(({ attribute }) =>
    attribute.in_title || family?.varying.has(attribute)).map(({ text }) => text)
  const parts = [
    `${brand.zh}${brand.latin}`, model, kind.name_zh, ...shown, features[0], features[1],
    scenes[0], pack,
  ].filter((part) => part !== null && part !== undefined)
  let title = parts.join(' ')
  while (title.length > TITLE_LENGTH_MAX) title = parts.splice(-1) && parts.join(' ')
  return title
}

function specsOf({ brandText, model, kind, attributes, pack }: GeneratedProduct) {
  return [
    { name: '品类', value: kind.name_zh },
    { name: '品牌', value: brandText },
    ...(model === null ? [] : [{ name: '型号', value: model }]),
    ...attributes.map(({ attribute, text }) => ({ name: attribute.name_zh, value: text })),
    ...(pack === null ? [] : [{ name: '规格', value: pack }]),
  ]
}

/** Facts first, then what it is good for; nothing that stands in every description. */
function describe(product: GeneratedProduct): string {
  const { kind, features, scenes } = product
  const facts = specsOf(product).map(({ name, value }) => `${name}：${value}`).join('；')
  return `${facts}。${kind.aliases.filter((alias) => /\p{Script=Han}/u.test(alias)).join('、')}，`
    + `${features.join('，')}。${scenes.join('、')}。`
}

/** Invented: sixteen in each of ten cities, each with its own terms. */
interface Merchant {
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
    const random = createRandom('merchants', index)
    return {
      merchant_id: 1001 + index,
      name: `${city}${name}${random.pick('trade', TRADES)}`,
      free_ship_threshold: random.pick('threshold', [0, 0, 0, 0, 0, 3900]),
      freight: random.pick('freight', [500, 600, 800, 1000, 1200]),
    }
  }))

/** A merchant that sells this category: each category has its own dozen. */
function merchantFor(categoryId: number, random: Random): Merchant {
  const place = random.integer('merchant', 0, MERCHANTS_PER_CATEGORY - 1)
  return merchants[(categoryId * 7 + place * 13) % merchants.length] as Merchant
}
