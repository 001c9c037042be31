/**
 * A mall on loopback: a real HTTP server that speaks a dialect, checks what the gateway would
 * check, limits calls, and fails on demand.
 */
import { randomBytes } from 'node:crypto'
import {
  createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from 'typebox'
import type { SourceName } from '../names.ts'
import { type Budget, createLocalBudget } from '../limits.ts'
import { sameText } from '../signing.ts'
import type { Clock } from '../time.ts'
import { fits } from '../wire.ts'
import type { Assortment, Catalogue, SimOffer } from './catalogue.ts'
import {
  corruptData, corruptResponse, createFaultList, FAULT_KINDS, type FaultKind, type FaultList,
} from './faults.ts'
import { createShortLinks, type ShortLinks } from './links.ts'
import {
  createSimOrders, SIM_STATES, type SimClick, type SimOrder, type SimOrders, type SimState,
} from './orders.ts'
import { answerShop, type Draw, type Present, SHOP_PATH } from './shop.ts'

export interface SimRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Query and form, merged. */
  readonly params: Readonly<Record<string, string>>
}

/** Data of the mall's operation, and how the dialect puts them on the wire. */
export interface SimAnswer {
  readonly data: unknown
  wrap(data: unknown): string
}

export interface SimDialect {
  readonly name: SourceName
  /** The operation of a request; faults and counts go by it. */
  operationOf(request: SimRequest): string
  /** The application that the request names; call limits go by it. */
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
  readonly assortment: Assortment
  readonly port?: number
  /** Calls of one application. */
  readonly ratePerSecond?: number
  /** Orders move on by themselves after so long; null: only by a command. */
  readonly paceMs?: number | null
  /** Where people open the shop's pages; without it only on loopback, and without pictures. */
  readonly shopUrl?: string | undefined
  readonly draw?: Draw | undefined
  /** The style of the shop's pages; without it they have none. */
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
  /** A person follows a promotion link and buys; null for any other link. */
  purchase(url: string, qty?: number): SimOrder | null
  /** A person buys the item without a promotion link; null for an unknown id. */
  order(id: string): SimOrder | null
  /** The offer behind a promotion link, long or short; null for any other link. */
  visit(url: string): SimOffer | null
  readonly orders: SimOrders
  close(): Promise<void>
}

const BODY_MAX = 1024 * 1024
const RATE_DEFAULT = 200

export async function startSimulator(
  makeDialect: (orders: SimOrders, shortLinks: ShortLinks) => SimDialect, options: SimOptions,
): Promise<Simulator> {
  const orders = createSimOrders(options.clock, options.paceMs ?? null)
  const shortLinks = createShortLinks(options.shopUrl)
  const dialect = makeDialect(orders, shortLinks)
  const gateway = new SimGateway(dialect, options)
  const server = createServer((incoming, response) => {
    void serve(incoming, response, (request) => {
      if (request.path.startsWith(SHOP_PATH)) {
        answerShop({ ...simulator, draw: options.draw, present: options.present },
          request, response)
        return Promise.resolve()
      }
      return request.path.startsWith('/_sim/')
        ? answerAdmin(simulator, request, response) : gateway.answer(request, response)
    })
  })
  const simulator: Omit<Simulator, 'url'> = {
    name: dialect.name,
    token: randomBytes(18).toString('base64url'),
    faults: gateway.faults,
    orders,
    calls: (operation) => gateway.calls(operation),
    ...salesOf(dialect, orders, shortLinks),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
    },
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return { ...simulator, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The mall's API: what it answers to a request, with faults, refusals and limits before that. */
class SimGateway {
  readonly faults = createFaultList()
  readonly #dialect: SimDialect
  readonly #options: SimOptions
  readonly #counts = new Map<string, number>()
  readonly #budgets = new Map<string, Budget>()

  constructor(dialect: SimDialect, options: SimOptions) {
    this.#dialect = dialect
    this.#options = options
  }

  calls(operation?: string): number {
    return operation === undefined
      ? [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
      : this.#counts.get(operation) ?? 0
  }

  async answer(request: SimRequest, response: ServerResponse): Promise<void> {
    const dialect = this.#dialect
    const operation = dialect.operationOf(request)
    this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1)
    const fault = this.faults.take(operation)
    const refused = dialect.check(request)
    const seconds = fault?.kind === 'limited' ? fault.seconds
      : refused === null ? await this.#secondsLimited(dialect.appOf(request)) : 0
    const body = refused ?? (seconds > 0 ? dialect.limited(request, seconds) : null)
      ?? wrapped(dialect.answer(request), fault?.kind)
    if (fault && corruptResponse(fault.kind, response, body)) return
    response.writeHead(200, {
      'content-type': 'application/json;charset=utf-8',
      date: new Date(this.#options.clock.now()).toUTCString(),
    }).end(body)
  }

  /** Only applications that passed the check have a budget: other callers cannot grow the map. */
  async #secondsLimited(app: string): Promise<number> {
    const { clock, ratePerSecond = RATE_DEFAULT } = this.#options
    const budget = this.#budgets.get(app)
      ?? createLocalBudget({ clock, ratePerSecond, burst: ratePerSecond })
    this.#budgets.set(app, budget)
    return Math.ceil(await budget.take() / 1000)
  }
}

/** What people do at the mall. */
function salesOf(
  dialect: SimDialect, orders: SimOrders, shortLinks: ShortLinks,
): Pick<Simulator, 'offer' | 'purchase' | 'order' | 'visit'> {
  const clickOf = (link: string): SimClick | null =>
    dialect.readPromotion(link) ?? shortLinks.read(link)
  const offerOf = (id: string): SimOffer | null => {
    const index = dialect.indexOf(id)
    return index === null ? null : dialect.catalogue.offer(index)
  }
  return {
    offer: offerOf,
    purchase(link, qty = 1) {
      const click = clickOf(link)
      const offer = click && dialect.catalogue.offer(click.index)
      return click && offer ? orders.purchase(click, offer, qty) : null
    },
    order(id) {
      const offer = offerOf(id)
      return offer && orders.purchase(null, offer, 1)
    },
    visit(link) {
      const click = clickOf(link)
      return click && dialect.catalogue.offer(click.index)
    },
  }
}

const wrapped = ({ data, wrap }: SimAnswer, fault: Parameters<typeof corruptData>[0]): string =>
  wrap(corruptData(fault, data))

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

// Commands over HTTP, for tests and a sandbox that run in another process.

const isFault = fits(Type.Object({
  operation: Type.String(),
  kind: Type.Unsafe<FaultKind>({ type: 'string', enum: [...FAULT_KINDS] }),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  seconds: Type.Optional(Type.Integer({ minimum: 1 })),
}))
const isPurchase = fits(Type.Object({
  url: Type.String(), qty: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
}))
const isMove = fits(Type.Object({
  number: Type.Integer(), state: Type.Unsafe<SimState>({ type: 'string', enum: [...SIM_STATES] }),
}))

type Commands = Pick<Simulator, 'faults' | 'orders' | 'purchase' | 'token'>

function answerAdmin(
  simulator: Commands, request: SimRequest, response: ServerResponse,
): Promise<void> {
  const allowed = request.method === 'POST'
    && sameText(String(request.headers['x-sim-token'] ?? ''), simulator.token)
  const result = allowed ? runCommand(simulator, request.path, JSON.parse(request.body)) : undefined
  response.writeHead(result === undefined ? 403 : result === null ? 400 : 200,
    { 'content-type': 'application/json' }).end(JSON.stringify(result ?? {}))
  return Promise.resolve()
}

/** Null for an unknown command. */
function runCommand(
  { faults, orders, purchase }: Commands, path: string, body: unknown,
): object | null {
  if (path === '/_sim/heal') {
    faults.clear()
    return {}
  }
  if (path === '/_sim/fault' && isFault(body)) {
    faults.add(body.operation, body.kind, body.count, body.seconds)
    return {}
  }
  const order = path === '/_sim/purchase' && isPurchase(body) ? purchase(body.url, body.qty)
    : path === '/_sim/move' && isMove(body) ? orders.move(body.number, body.state) : null
  return order && { number: order.number, state: order.state }
}
