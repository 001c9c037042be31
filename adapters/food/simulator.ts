/** The food platform in small: its gateway's checks, then its businesses over the catalogue. */
import { createCatalogue } from '../simulator/catalogue.ts'
import {
  startSimulator, type SimDialect, type SimOptions, type SimRequest, type Simulator,
} from '../simulator/frame.ts'
import { indexOfId } from '../simulator/ids.ts'
import type { SimOrders } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { sameText } from '../signing.ts'
import { contentMd5, NAME, OPERATIONS, PATH, sign, SKEW_MS } from './dialect.ts'
import type { Settings } from './settings.ts'
import {
  ACT_ID, HOST, ITEM_URL, queryCoupons, readPromotion, referral, refused, type Asked,
} from './sim-business.ts'
import { createScrolls } from './sim-orders.ts'

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
  { clock, universe, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  // Coupons lower group prices alone, and there are none: here a coupon is what is sold.
  const catalogue = createCatalogue(NAME, universe, {
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
      wrap: (data) => JSON.stringify(scrolls.withPlace(data)),
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

/** The gateway has one answer for everything that is wrong with a signature. */
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
