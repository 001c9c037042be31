/** A small mall A: the gateway's checks, then its operations over the shared catalogue. */
import { sameText } from '../../signing.ts'
import { type Catalogue, createCatalogue } from '../../simulator/catalogue.ts'
import {
  type SimDialect, type SimOptions, type SimRequest, type Simulator, startSimulator,
} from '../../simulator/frame.ts'
import { carriedBy, packed, type ShortLinks } from '../../simulator/links.ts'
import type { SimClick, SimOrders } from '../../simulator/orders.ts'
import { linkOn } from '../../text.ts'
import { parseChinaTime } from '../../time.ts'
import { type Method, METHODS, NAME, type Settings, sign } from '../signing.ts'
import {
  ADZONE, details, HOST, indexOf, invalid, methodOf, missing, POOL, queryOrders, refuse, search,
  shops, wrap, type Asked, type Refused,
} from './answers.ts'

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
  { clock, assortment, shopUrl }: SimOptions, orders: SimOrders, short: ShortLinks,
): SimDialect {
  const catalogue = createCatalogue(NAME, assortment, {
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
  // The gateway answers anything else in XML.
  return params['format'] === 'json' ? null : refuse(23, 'Invalid Format')
}

// Conversions: links that carry the click, with share codes or without.

const LISTS = [
  ['item_id_list', 'item_url_list', 'input_item_id'],
  ['material_list', 'material_url_list', 'input_material_url'],
] as const

/** Refuses ids of other operators, as the gateway does. */
function convert(catalogue: Catalogue, short: ShortLinks, asked: Asked): object {
  const { adzone_id: adzone, relation_id: relation = '', special_id: special = '' } = asked
  if (!adzone) return missing('adzone_id')
  if (adzone !== ADZONE && !POOL.includes(adzone)) return invalid('adzone_id')
  for (const id of [relation, special]) {
    if (id !== '' && !POOL.includes(id)) return invalid('relation_id')
  }
  const [list, key, input] = LISTS.find(([name]) => asked[name]) ?? []
  if (!list || !key || !input) return missing('item_id_list')
  const position = { adzone, relation, special }
  const rows = (asked[list] ?? '').split(',').map((material) => {
    const id = /[?&]id=([\w-]+)/.exec(material)?.[1] ?? material
    const index = indexOf(id)
    const offer = index === null ? null : catalogue.offer(index)
    if (!offer || (material !== id && !linkOn([HOST], material))) {
      return { [input]: material, code: 1001, msg: '商品不存在或未参加推广' }
    }
    return {
      [input]: material, code: 0, msg: '',
      link_info_dto: linksOf({
        index: offer.product.index, subId: subIdOf(position), echo: { ...position, item: id },
      }, short, offer.coupon !== null),
      promotion_info_dto: { promotion_price: offer.expected.payable },
    }
  })
  return { data: { [key]: { [key]: rows } } }
}

type Position = Readonly<Record<'adzone' | 'relation' | 'special', string>>

const subIdOf = ({ adzone, relation, special }: Position): string =>
  relation || special || (adzone === ADZONE ? '' : adzone)

function linksOf(click: SimClick, short: ShortLinks, coupon: boolean): object {
  const { index, echo: { item } } = click
  const carried = packed(click)
  const kinds = coupon ? ['coupon', 'cps'] : ['cps']
  return Object.fromEntries([['item_id', item], ['material_type', 1], ...kinds.flatMap((kind) => [
    [`${kind}_long_url`, `//s.click.${HOST}/t?e=${carried}&kind=${kind}${TAIL}`],
    [`${kind}_short_url`, short.on(`s.click.${HOST}`, click)],
    // Not every conversion comes with its codes.
    ...(index % 3 === 0 ? [] : [
      [`${kind}_short_tpwd`, codeOf(carried)], [`${kind}_full_tpwd`, textOf(click, short)],
    ]),
  ])])
}

/** With escapes of both cases: decoding and encoding it again would change it. */
const TAIL = '&union_lens=lensId%3A1%2d2'
const codeOf = (carried: string): string => `￥${carried.slice(-11)}￥`
const textOf = (click: SimClick, short: ShortLinks): string =>
  `5${codeOf(packed(click))} ${short.toOpen(`m.${HOST}`, click)}\n打开应用即可查看`

/** Only for links that the mall issued, byte for byte. */
function shareCode(short: ShortLinks, { url }: Asked): object {
  if (!url) return missing('url')
  const click = readPromotion(url)
  if (!click || !url.endsWith(TAIL)) return invalid('url')
  return { data: { password_simple: codeOf(packed(click)), model: textOf(click, short) } }
}

const readPromotion = (link: string): SimClick | null =>
  carriedBy(HOST, link, 'e')
