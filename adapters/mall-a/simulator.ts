/** Mall A in small: the gateway's checks, then its businesses over the shared catalogue. */
import { createCatalogue } from '../simulator/catalogue.ts'
import {
  startSimulator, type SimDialect, type SimOptions, type SimRequest, type Simulator,
} from '../simulator/frame.ts'
import type { SimOrders } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { sameText } from '../signing.ts'
import { parseChinaTime } from '../time.ts'
import { METHODS, NAME, sign, type Method } from './dialect.ts'
import type { Settings } from './settings.ts'
import { details, indexOf, search, shops } from './sim-goods.ts'
import { convert, readPromotion, shareCode } from './sim-links.ts'
import { queryOrders } from './sim-orders.ts'
import {
  ADZONE, HOST, methodOf, POOL, refuse, wrap, type Asked, type Refused,
} from './sim-wire.ts'

const SANDBOX = { appKey: '10000001', appSecret: 'sandbox-secret-a' } as const
const SKEW_MS = 10 * 60_000

export async function startMallA(
  options: SimOptions,
): Promise<Simulator & { readonly settings: Settings }> {
  const simulator = await startSimulator(
    (orders, short) => dialect(options, orders, short), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: `${simulator.url}/router/rest`, adzoneId: ADZONE,
      poolKind: 'adzone', poolIds: [...POOL], generation: 'upgrade', hosts: [HOST],
      itemUrl: `https://item.${HOST}/item.htm?id={id}`,
    },
  }
}

function dialect(
  { clock, universe, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  const catalogue = createCatalogue(NAME, universe, {
    groupShare: 0, couponOn: 'price', shopUrl,
  })
  return {
    name: NAME,
    catalogue,
    operationOf: ({ params }) => methodOf(params) ?? 'unknown',
    appOf: ({ params }) => params['app_key'] ?? '',
    check: (request) => check(request, clock.now()),
    limited: (_, seconds) => errorText({
      ...refuse(7, 'App Call Limited', 'accesscontrol.limited-by-api-access-count').error,
      sub_msg: `This ban will last for ${seconds} more seconds`,
    }),
    answer({ params }) {
      const method = methodOf(params) ?? METHODS.search
      const result = business(method, params)
      if ('error' in result) return { data: result.error, wrap: errorText }
      return {
        data: { ...result, request_id: 'sim' },
        wrap: (data) => wrap(method, params['simplify'] === 'true', data),
      }
    },
    indexOf,
    readPromotion,
  }

  function business(method: Method, asked: Asked): object | Refused {
    switch (method) {
      case METHODS.search:
      case METHODS.searchLegacy: return search(catalogue, asked, method, clock.now())
      case METHODS.items:
      case METHODS.itemsLegacy: return details(catalogue, asked, method)
      case METHODS.shops: return shops(catalogue, asked)
      case METHODS.convert: return convert(catalogue, short, asked)
      case METHODS.shareCode: return shareCode(short, asked)
      default: return queryOrders(orders, asked, clock.now())
    }
  }
}

const errorText = (error: unknown): string =>
  JSON.stringify({ error_response: { ...error as object, request_id: 'sim' } })

function check({ params }: SimRequest, now: number): string | null {
  const refused = refusal(params, now)
  return refused && errorText(refused.error)
}

function refusal(params: Asked, now: number): Refused | null {
  const { app_key: app, sign: signature, timestamp } = params
  if (!app) return refuse(28, 'Missing App Key')
  if (app !== SANDBOX.appKey) return refuse(29, 'Invalid App Key', 'isv.appkey-not-exists')
  if (!signature) return refuse(24, 'Missing Signature')
  if (!sameText(signature, sign(SANDBOX.appSecret, params))) return refuse(25, 'Invalid Signature')
  if (!timestamp) return refuse(30, 'Missing Timestamp')
  const at = parseChinaTime(timestamp)
  if (at === null || Math.abs(now - at) > SKEW_MS) return refuse(31, 'Invalid Timestamp')
  if (!params['method']) return refuse(21, 'Missing Method')
  if (methodOf(params) === null) return refuse(22, 'Invalid Method')
  if (!params['v']) return refuse(32, 'Missing Version')
  if (params['v'] !== '2.0') return refuse(34, 'Unsupported Version')
  // Anything else it would answer in XML.
  return params['format'] === 'json' ? null : refuse(23, 'Invalid Format')
}
