/** Mall C in small: the gateway's checks, its registrations, then its five businesses. */
import { createCatalogue, type Catalogue } from '../simulator/catalogue.ts'
import {
  startSimulator, type SimAnswer, type SimDialect, type SimOptions, type Simulator,
} from '../simulator/frame.ts'
import { indexOfId } from '../simulator/ids.ts'
import type { SimOrders } from '../simulator/orders.ts'
import { NAME, REGISTRATION_CHANNEL, ROOTS, TYPES, type Type } from './dialect.ts'
import type { Settings } from './settings.ts'
import { detail, offerOf, parsed, searchGoods, type Asked } from './sim-business.ts'
import { check, errorBody, KNOWN, Refused, SANDBOX } from './sim-gateway.ts'
import {
  HOST, ITEM_URL, promotionRow, readClick, readPosition, registrationRow, type Position,
} from './sim-links.ts'
import { listOrders } from './sim-orders.ts'

/** Its users count as registered, so that the sandbox needs no person with the mall's app. */
const OPEN_PID = '1000001_2000001'
/** Nothing goes without its registration. */
export const STRICT_PID = '1000001_2000002'

export interface MallC extends Simulator {
  readonly settings: Settings
  /** A person opens the link of a registration and confirms; false when it is none. */
  register(link: string): boolean
}

export async function startMallC(options: SimOptions): Promise<MallC> {
  const registrations = createRegistrations()
  const simulator = await startSimulator(
    (orders) => dialect(options, orders, registrations), options)
  return {
    ...simulator,
    settings: {
      ...SANDBOX, baseUrl: `${simulator.url}/api/router`, pid: OPEN_PID,
      neutralUid: 'search', hosts: [HOST], itemUrl: ITEM_URL,
    },
    register(link) {
      const position = readPosition(link)
      if (position) registrations.add(position)
      return position !== null
    },
  }
}

type Registrations = ReturnType<typeof createRegistrations>

function createRegistrations() {
  const known = new Set<string>()
  const keyOf = ({ pid, custom }: Position): string => `${pid}|${custom}`
  return {
    add(position: Position) {
      known.add(keyOf(position))
    },
    demand(position: Position) {
      if (position.pid === OPEN_PID || known.has(keyOf(position))) return
      throw new Refused(50001,
        '未传入已经授权备案过的相关参数(pid/custom_parameters)', '60001')
    },
  }
}

function dialect(
  { clock, universe, shopUrl }: SimOptions, orders: SimOrders, registrations: Registrations,
): SimDialect {
  const catalogue = createCatalogue(NAME, universe, {
    groupShare: 0, couponOn: 'price', shopUrl,
  })
  return {
    name: NAME,
    catalogue,
    operationOf: ({ params }) => (KNOWN.has(params['type'] ?? '')
      ? params['type'] as string : 'unknown'),
    appOf: ({ params }) => params['client_id'] ?? '',
    check: (request) => check(request, clock.now()),
    limited: (_, seconds) => errorBody(new Refused(70031, `调用过于频繁，请${seconds}秒后再试`)),
    answer: ({ params }) => answered(params['type'] as Type, () =>
      business(params['type'] as Type, params)),
    indexOf: (id) => indexOfId(NAME, id),
    readPromotion: readClick,
  }

  function business(type: Type, asked: Asked): object {
    if (type === TYPES.orders) return listOrders(orders, asked, clock.now())
    const position = positionOf(type, asked)
    if (type === TYPES.register) return registration(asked, position)
    registrations.demand(position)
    if (type === TYPES.search) return searchGoods(catalogue, asked, clock.now())
    return type === TYPES.detail ? detail(catalogue, asked, clock.now())
      : promotion(catalogue, asked, position)
  }
}

/** The three operations name their position in three ways. */
function positionOf(type: Type, asked: Asked): Position {
  const pid = type === TYPES.convert ? asked['p_id'] : type === TYPES.register
    ? (parsed(asked['p_id_list']) as string[] | null)?.[0] : asked['pid']
  const custom = asked['custom_parameters'] ?? ''
  const fits = (pid === OPEN_PID || pid === STRICT_PID) && Buffer.byteLength(custom) <= 64
    && (custom === '' || uidOf(custom) !== '')
  if (!fits) throw new Refused(10000)
  return { pid, custom }
}

const uidOf = (custom: string): string =>
  (custom === '' ? '' : String((Object(parsed(custom)) as { uid?: unknown }).uid ?? ''))

function registration(asked: Asked, position: Position): object {
  if (Number(asked['channel_type']) !== REGISTRATION_CHANNEL) throw new Refused(10000)
  return { url_list: [registrationRow(position)], resource_list: [] }
}

function promotion(catalogue: Catalogue, asked: Asked, { pid, custom }: Position): object {
  const signs = parsed(asked['goods_sign_list'])
  if (!Array.isArray(signs) || signs.length === 0) throw new Refused(10000)
  const offers = signs.map((id) => offerOf(catalogue, String(id))).filter((one) => one !== null)
  return {
    goods_promotion_url_list: offers.map(({ product }) => promotionRow({
      index: product.index, subId: uidOf(custom), echo: { pid, custom },
    })),
  }
}

function answered(type: Type, work: () => object): SimAnswer {
  try {
    return {
      data: { ...work(), request_id: 'sim' },
      wrap: (data) => JSON.stringify({ [ROOTS[type]]: data }),
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { data: {}, wrap: () => errorBody(error) }
  }
}
