/**
 * A mall on loopback: a real HTTP server that speaks a dialect, checks what the gateway would
 * check, limits calls, and fails when it is told to.
 */
import { randomBytes } from 'node:crypto'
import {
  createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalBudget, type Budget } from '../budget.ts'
import type { SourceName } from '../normal.ts'
import type { Clock } from '../time.ts'
import { answerAdmin } from './admin.ts'
import type { Catalogue, SimOffer } from './catalogue.ts'
import { createFaultList, spoilData, spoilSending, type FaultList } from './faults.ts'
import type { SimUniverse } from './products.ts'
import { answerShop, SHOP_PATH, type Draw, type Present } from './shop.ts'
import { createShortLinks, type ShortLinks } from './short-links.ts'
import { createSimOrders, type SimClick, type SimOrder, type SimOrders } from './orders.ts'

export interface SimRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Query and form, merged. */
  readonly params: Readonly<Record<string, string>>
}

/** Data as the mall's business has it, and how the dialect puts it on the wire. */
export interface SimAnswer {
  readonly data: unknown
  wrap(data: unknown): string
}

export interface SimDialect {
  readonly name: SourceName
  /** Which operation a request asks for; faults and counts go by it. */
  operationOf(request: SimRequest): string
  /** The application, as far as the request says; call limits go by it. */
  appOf(request: SimRequest): string
  /** The error that the gateway answers, or null when signature, clock and names are right. */
  check(request: SimRequest): string | null
  limited(request: SimRequest, seconds: number): string
  answer(request: SimRequest): SimAnswer
  readonly catalogue: Catalogue
  indexOf(id: string): number | null
  readPromotion(url: string): SimClick | null
}

export interface SimOptions {
  readonly clock: Clock
  readonly universe: SimUniverse
  readonly port?: number
  /** Calls of one application. */
  readonly ratePerSecond?: number
  /** Orders move on by themselves after so long; null: only when told. */
  readonly paceMs?: number | null
  /** Where people open the shop's pages; without it only on loopback, and pictures nowhere. */
  readonly shopUrl?: string | undefined
  readonly draw?: Draw | undefined
  /** The looks of the shop's pages; without it they have none. */
  readonly present?: Present | undefined
}

export interface Simulator {
  readonly name: SourceName
  readonly url: string
  /** For the same commands over HTTP: POST /_sim/<command> with the header x-sim-token. */
  readonly token: string
  readonly faults: FaultList
  /** Requests that came in, by operation; all without one. */
  calls(operation?: string): number
  /** What the mall offers under an id of its own. */
  offer(id: string): SimOffer | null
  /** Somebody follows a promotion link and buys; null when it is no link of this mall. */
  purchase(url: string, qty?: number): SimOrder | null
  /** Somebody buys what has the id, and no link led there; null when there is no such item. */
  order(id: string): SimOrder | null
  /** What a promotion link, long or short, leads to; null when it is no link of this mall. */
  visit(url: string): SimOffer | null
  readonly orders: SimOrders
  close(): Promise<void>
}

const BODY_MAX = 1024 * 1024
const RATE_DEFAULT = 200

export async function startSimulator(
  makeDialect: (orders: SimOrders, shortLinks: ShortLinks) => SimDialect, options: SimOptions,
): Promise<Simulator> {
  const { clock, ratePerSecond = RATE_DEFAULT, paceMs = null } = options
  const orders = createSimOrders(clock, paceMs)
  const shortLinks = createShortLinks(options.shopUrl)
  const dialect = makeDialect(orders, shortLinks)
  const faults = createFaultList()
  const counts = new Map<string, number>()
  const budgets = new Map<string, Budget>()
  const token = randomBytes(18).toString('base64url')

  /** Only applications that passed the check have a budget: strangers cannot grow the map. */
  async function secondsLimited(app: string): Promise<number> {
    const budget = budgets.get(app)
      ?? createLocalBudget({ clock, ratePerSecond, burst: ratePerSecond })
    budgets.set(app, budget)
    return Math.ceil(await budget.take() / 1000)
  }

  async function answer(request: SimRequest, response: ServerResponse): Promise<void> {
    const operation = dialect.operationOf(request)
    counts.set(operation, (counts.get(operation) ?? 0) + 1)
    const fault = faults.take(operation)
    const refused = dialect.check(request)
    const seconds = fault?.kind === 'limited' ? fault.seconds
      : refused === null ? await secondsLimited(dialect.appOf(request)) : 0
    const body = refused ?? (seconds > 0 ? dialect.limited(request, seconds) : null)
      ?? wrapped(dialect.answer(request), fault?.kind)
    if (fault && spoilSending(fault.kind, response, body)) return
    response.writeHead(200, {
      'content-type': 'application/json;charset=utf-8', date: new Date(clock.now()).toUTCString(),
    }).end(body)
  }

  const clickOf = (link: string): SimClick | null =>
    dialect.readPromotion(link) ?? shortLinks.read(link)
  const simulator: Omit<Simulator, 'url'> = {
    name: dialect.name,
    token,
    faults,
    orders,
    calls: (operation) => (operation === undefined
      ? [...counts.values()].reduce((sum, count) => sum + count, 0) : counts.get(operation) ?? 0),
    offer(id) {
      const index = dialect.indexOf(id)
      return index === null ? null : dialect.catalogue.offer(index)
    },
    purchase(link, qty = 1) {
      const click = clickOf(link)
      const offer = click && dialect.catalogue.offer(click.index)
      return click && offer ? orders.purchase(click, offer, qty) : null
    },
    order(id) {
      const offer = simulator.offer(id)
      return offer && orders.purchase(null, offer, 1)
    },
    visit(link) {
      const click = clickOf(link)
      return click && dialect.catalogue.offer(click.index)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
    },
  }
  const server = createServer((incoming, response) => {
    void serve(incoming, response, (request) => {
      if (request.path.startsWith(SHOP_PATH)) {
        answerShop({ ...simulator, draw: options.draw, present: options.present },
          request, response)
        return Promise.resolve()
      }
      return request.path.startsWith('/_sim/')
        ? answerAdmin(simulator, request, response) : answer(request, response)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return { ...simulator, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const wrapped = ({ data, wrap }: SimAnswer, fault: Parameters<typeof spoilData>[0]): string =>
  wrap(spoilData(fault, data))

async function serve(
  incoming: IncomingMessage, response: ServerResponse,
  handle: (request: SimRequest) => Promise<void>,
): Promise<void> {
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > BODY_MAX) throw new RangeError('The body is too large.')
      chunks.push(chunk)
    }
    await handle(toRequest(incoming, Buffer.concat(chunks).toString()))
  } catch {
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
}

function toRequest(incoming: IncomingMessage, body: string): SimRequest {
  const url = new URL(incoming.url ?? '/', 'http://simulator')
  const form = (incoming.headers['content-type'] ?? '').startsWith(
    'application/x-www-form-urlencoded') ? new URLSearchParams(body) : []
  return {
    method: incoming.method ?? 'GET', path: url.pathname, headers: incoming.headers, body,
    params: Object.fromEntries([...url.searchParams, ...form]),
  }
}
