/**
 * A small food platform: its gateway's checks, its operations over the catalogue, and the menu that
 * it sells in the sandbox.
 */
import { sameText } from '../../signing.ts'
import {
  createAssortment, createCatalogue, indexOfId, randomOf, type Assortment, type SimProduct,
} from '../../simulator/catalogue.ts'
import {
  startSimulator, type SimDialect, type SimOptions, type SimRequest, type Simulator,
} from '../../simulator/frame.ts'
import type { ShortLinks } from '../../simulator/links.ts'
import type { SimOrders } from '../../simulator/orders.ts'
import { contentMd5, NAME, OPERATIONS, PATH, sign, SKEW_MS, type Settings } from '../signing.ts'
import {
  ACT_ID, createScrolls, HOST, ITEM_URL, queryCoupons, readPromotion, referral, refused, type Asked,
} from './answers.ts'

const SANDBOX = { appKey: 'sandbox-food-app', appSecret: 'sandbox-secret-food' } as const
const KNOWN = new Set<string>(Object.values(OPERATIONS))

export async function startFood(
  options: SimOptions,
): Promise<Simulator & { readonly settings: Settings }> {
  const simulator = await startSimulator(
    (orders, short) => dialect(options, orders, short), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: simulator.url, actId: ACT_ID, hosts: [HOST], platform: 1,
      itemUrl: ITEM_URL,
    },
  }
}

function dialect(
  { clock, assortment, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  // Coupons lower group prices alone, and there are none: here the coupon is the product.
  const catalogue = createCatalogue(NAME, assortment, {
    groupShare: 0, couponOn: 'group', shopUrl,
  })
  const scrolls = createScrolls(orders)
  const operationOf = ({ path }: SimRequest): string => {
    const name = path.startsWith(PATH) ? path.slice(PATH.length) : ''
    return KNOWN.has(name) ? name : 'unknown'
  }
  return {
    name: NAME,
    catalogue,
    operationOf,
    appOf: ({ headers }) => String(headers['s-ca-app'] ?? ''),
    check: (request) => check(request, operationOf(request), clock.now()),
    limited: () => JSON.stringify({ code: 402, message: '请求过于频繁' }),
    answer: (request) => ({
      data: business(operationOf(request), bodyOf(request.body)),
      wrap: (data) => JSON.stringify(scrolls.withScrollId(data)),
    }),
    indexOf: (id) => indexOfId(NAME, id),
    readPromotion,
  }

  function business(operation: string, asked: Asked): object {
    switch (operation) {
      case OPERATIONS.coupons: return queryCoupons(catalogue, asked)
      case OPERATIONS.convert: return referral(catalogue, short, asked)
      default: return scrolls.query(asked, clock.now())
    }
  }
}

function bodyOf(text: string): Asked {
  try {
    return Object(JSON.parse(text)) as Asked
  } catch {
    return {}
  }
}

/** The gateway has one answer for every fault of a signature. */
function check(request: SimRequest, operation: string, now: number): string | null {
  const { method, headers, path, body } = request
  if (operation === 'unknown') return JSON.stringify(refused(1))
  if (method !== 'POST') return JSON.stringify(refused(401))
  const given = (name: string): string => String(headers[name.toLowerCase()] ?? '')
  // Names are signed as the caller spells them.
  const names = given('S-Ca-Signature-Headers').split(',')
  const signed = Object.fromEntries(names.map((name) => [name, given(name)]))
  const right = given('S-Ca-App') === SANDBOX.appKey
    && names.includes('S-Ca-Timestamp')
    && sameText(given('Content-MD5'), contentMd5(body))
    && sameText(given('S-Ca-Signature'),
      sign(SANDBOX.appSecret, { method, headers: signed, url: path, body }))
    && Math.abs(now - Number(given('S-Ca-Timestamp'))) <= SKEW_MS
  return right ? null : JSON.stringify(refused(400))
}

interface Kitchen {
  readonly category: string
  readonly houses: readonly string[]
  /** Name, its name in English, and about what it costs, in fen. */
  readonly dishes: readonly (readonly [string, string, number])[]
  readonly sizes: readonly (readonly [string, number])[]
}

const MEAL_SIZES = [['单人餐', 1], ['双人套餐', 1.9], ['三至四人套餐', 3.4]] as const
const CUP_SIZES = [['中杯', 1], ['大杯', 1.2], ['两杯套餐', 1.8]] as const

const KITCHENS: readonly Kitchen[] = [
  { category: '奶茶果茶', houses: ['茶屿集', '青柚里', '雾山茶'], sizes: CUP_SIZES, dishes: [
    ['珍珠奶茶', 'milk tea bubble tea boba', 1500], ['杨枝甘露', 'mango pomelo', 2000],
    ['柠檬茶', 'lemon tea', 1300], ['葡萄果茶', 'fruit tea', 1800],
  ] },
  { category: '咖啡', houses: ['拾光咖啡', '北岸咖啡'], sizes: CUP_SIZES, dishes: [
    ['拿铁咖啡', 'latte coffee', 1900], ['美式咖啡', 'americano coffee', 1400],
    ['生椰拿铁', 'coconut latte coffee', 2100],
  ] },
  { category: '快餐简餐', houses: ['木禾小馆', '满仓食堂', '巷子口'], sizes: MEAL_SIZES, dishes: [
    ['黄焖鸡米饭', 'braised chicken rice', 2200], ['盖浇饭 盖饭', 'rice bowl', 1900],
    ['牛肉面 拉面', 'beef noodles', 2300], ['麻辣烫 冒菜', 'spicy hot soup', 2600],
    ['酸菜鱼', 'fish in pickled cabbage', 3900], ['螺蛳粉 米线', 'rice noodles', 1800],
    ['水饺 饺子', 'dumplings', 2000], ['炒饭 炒面', 'fried rice', 1700],
    ['皮蛋瘦肉粥 包子 早餐', 'congee breakfast', 1200], ['工作午餐便当', 'lunch bento', 2400],
  ] },
  { category: '汉堡披萨', houses: ['堡石', '炉边薄饼'], sizes: MEAL_SIZES, dishes: [
    ['牛肉汉堡 薯条', 'burger fries', 2900], ['炸鸡 鸡排', 'fried chicken', 2700],
    ['披萨 比萨', 'pizza', 4500], ['三明治', 'sandwich', 1900],
  ] },
  { category: '火锅烧烤', houses: ['沸石火锅', '炭与巷'], sizes: MEAL_SIZES.slice(1), dishes: [
    ['火锅', 'hot pot hotpot', 7900], ['烧烤 串串', 'barbecue bbq', 6900],
    ['小龙虾 夜宵', 'crayfish', 8800], ['烤鱼', 'grilled fish', 7500],
  ] },
  { category: '轻食日料甜品', houses: ['绿盒子', '小潮寿司'], sizes: MEAL_SIZES.slice(0, 2), dishes: [
    ['沙拉 轻食', 'salad', 2900], ['寿司', 'sushi', 4200],
    ['甜品 蛋糕', 'dessert cake', 2600], ['冰淇淋', 'ice cream', 1600],
  ] },
]

/**
 * What restaurants sell in the sandbox. Meals are no goods of the shelf's catalogue, so they have
 * a small one of their own; a pure function of the lists above, with invented restaurants.
 */
export function createMenu(): Assortment {
  const products: SimProduct[] = []
  for (const { category, houses, dishes, sizes } of KITCHENS) {
    for (const [dish, english, price] of dishes) {
      for (const brand of houses) {
        for (const [size, factor] of sizes) {
          const index = products.length
          const dear = 0.85 + 0.3 * randomOf('menu', brand, dish)
          products.push({
            index, brand, category: `${category} 外卖`,
            title: `${brand} ${dish} ${size} 外卖券 ${english}`,
            basePrice: Math.round(price * factor * dear / 100) * 100,
          })
        }
      }
    }
  }
  return createAssortment(products)
}
