/** Mall B in small: the gateway's checks, then its three businesses over the shared catalogue. */
import { createCatalogue } from '../simulator/catalogue.ts'
import {
  startSimulator, type SimDialect, type SimOptions, type SimRequest, type Simulator,
} from '../simulator/frame.ts'
import { indexOfId } from '../simulator/ids.ts'
import type { SimOrders } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { sameText } from '../signing.ts'
import { parseChinaTime } from '../time.ts'
import { BUSINESS, METHODS, NAME, sign } from './dialect.ts'
import type { Settings } from './settings.ts'
import {
  HOST, promotion, queryGoods, queryOrders, readPromotion, type Refused,
} from './sim-business.ts'

const SANDBOX = { appKey: 'sandbox-b-key', appSecret: 'sandbox-secret-b' } as const
const SKEW_MS = 6 * 60_000
const KNOWN = new Set<string>(Object.values(METHODS))

export async function startMallB(
  options: SimOptions,
): Promise<Simulator & { readonly settings: Settings }> {
  const simulator = await startSimulator(
    (orders, short) => dialect(options, orders, short), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: `${simulator.url}/routerjson`, siteId: '5001', positionId: 6,
      hosts: [HOST], sceneId: 1, conversion: 'sub_union',
    },
  }
}

function dialect(
  { clock, universe, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  const catalogue = createCatalogue(NAME, universe, {
    groupShare: 0.15, couponOn: 'price', shopUrl,
  })
  return {
    name: NAME,
    catalogue,
    operationOf: ({ params }) => (KNOWN.has(params['method'] ?? '')
      ? params['method'] as string : 'unknown'),
    appOf: ({ params }) => params['app_key'] ?? '',
    check: (request) => check(request, clock.now()),
    limited: ({ params }) => wrap(params['method'] ?? '', { code: 429, message: '超过调用频率' }),
    answer({ params }) {
      const method = params['method'] ?? ''
      return { data: business(method, params[BUSINESS]), wrap: (data) => wrap(method, data) }
    },
    indexOf: (id) => indexOfId(NAME, id),
    readPromotion,
  }

  function business(method: string, text: string | undefined): unknown {
    const body = bodyOf(text)
    const goods = body['goodsReqDTO']
    const code = body['promotionCodeReq']
    const rows = body['orderReq']
    const result = method === METHODS.goods && goods ? queryGoods(catalogue, goods, clock.now())
      : method === METHODS.orders && rows ? queryOrders(orders, rows, clock.now())
        : (method === METHODS.convertSubUnion || method === METHODS.convertCommon) && code
          ? promotion(catalogue, short, code, method) : refused(401)
    return { requestId: 'sim', ...result }
  }
}

const refused = (code: number): Refused => ({ code, message: '参数错误' })

function bodyOf(text: string | undefined): Record<string, Record<string, unknown> | undefined> {
  try {
    return Object(JSON.parse(text ?? '')) as ReturnType<typeof bodyOf>
  } catch {
    return {}
  }
}

/** The result is JSON text within JSON; the root is spelt as the gateway spells it. */
function wrap(method: string, data: unknown): string {
  const root = method.replaceAll('.', '_')
  const key = `${root.slice(root.lastIndexOf('_') + 1)}Result`
  return JSON.stringify({ [`${root}_responce`]: { code: '0', [key]: JSON.stringify(data) } })
}

function check({ params }: SimRequest, now: number): string | null {
  const { app_key: app, sign: signature, timestamp, method } = params
  if (!app) return refusal('20', 'Missing app_key')
  if (app !== SANDBOX.appKey) return refusal('21', 'Invalid app_key')
  if (!signature) return refusal('11', 'Missing sign')
  if (!sameText(signature, sign(SANDBOX.appSecret, params))) return refusal('12', 'Invalid sign')
  if (!timestamp) return refusal('7', 'Missing timestamp')
  const at = parseChinaTime(timestamp)
  if (at === null || Math.abs(now - at) > SKEW_MS) return refusal('8', 'Invalid timestamp')
  if (!method) return refusal('14', 'Missing method')
  if (!KNOWN.has(method)) return refusal('15', 'Invalid method')
  return params['v'] ? null : refusal('4', 'Missing version')
}

const refusal = (code: string, text: string): string =>
  JSON.stringify({ error_response: { code, zh_desc: '网关拒绝', en_desc: text } })
