/** The REST face, documents, pages and checks: every address of neither MCP nor the console. */
import { createHash, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HttpReply, HttpRequest, Method, Route } from '../contract/http.ts'
import type { NodeOperation } from '../operations/define.ts'
import type { Gate } from '../gate/gate.ts'
import { createHostCheck, createPageCheck } from '../gate/origins.ts'
import type { Limits } from '../limits/limits.ts'
import { createTrialKey } from '../operations/create-trial-key.ts'
import { listEvents } from '../operations/list-events.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'
import { documentRoutes } from './documents.ts'
import { eventStreamHandler } from './event-stream.ts'
import { goRoutes } from './go.ts'
import { paymentRoutes, shopPages } from './shop-routes.ts'
import { BASE_PATH, restHandler } from './rest.ts'
import { sandboxShopRoutes } from './sandbox-shops.ts'

/** What a proxy adds: behind one, everybody's peer is this machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export interface HttpParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  /** Why the node should get no traffic now; undefined when it should. */
  readonly unready: () => Promise<string | undefined>
  /** Malls that are simulated; without them their pages do not exist. */
  readonly sandboxShops?: SandboxShops
  /** The metrics for the operator's scraper; without it the address does not exist. */
  readonly readMetrics?: MetricsRouteOptions['read']
  /** The table that everything derives from. */
  readonly operations: readonly NodeOperation[]
}

export function httpRoutes(parts: HttpParts): Route[] {
  const { services, gate, limits, unready, readMetrics, operations } = parts
  const { sandboxShops: shops = {} } = parts
  const { config, log } = services
  const refuseForeignPage = createPageCheck(config)
  const api = operations.map((operation): Route => {
    const [method, path] = operation.route.split(' ') as [Method, string]
    const handler = restHandler(operation, gate, services.quota)
    const guarded: Handler = (request) => {
      refuseForeignPage(request)
      return handler(request)
    }
    return {
      method, pattern: `${BASE_PATH}${path}`, limitedBy: 'caller',
      handler: operation.name === createTrialKey.name ? guarded
        : operation.name === listEvents.name
          ? eventStreamHandler(operation, services, gate, handler) : handler,
    }
  })
  return [
    ...api,
    ...documentRoutes({
      operations, publicUrl: config.publicUrl, basePath: BASE_PATH, version: VERSION,
    }),
    {
      method: 'GET',
      pattern: '/healthz',
      limitedBy: 'nobody',
      handler: () => json(200, '{"status":"ok"}'),
    },
    {
      method: 'GET',
      pattern: '/readyz',
      limitedBy: 'nobody',
      async handler() {
        const reason = await unready()
        return reason === undefined ? json(200, '{"status":"ready"}')
          : json(503, JSON.stringify({ status: 'unready', reason }))
      },
    },
    ...(readMetrics ? [metricsRoute({
      token: config.metricsToken, publicUrl: config.publicUrl, read: readMetrics,
    })] : []),
    ...shopPages(services),
    ...paymentRoutes(services, limits),
    ...goRoutes(services, limits),
    ...sandboxShopRoutes({
      shops, limits, log, publicUrl: config.publicUrl,
    }),
  ]
}

const json = (status: number, body: Buffer | string): HttpReply =>
  ({ status, headers: [['Content-Type', 'application/json; charset=utf-8']], body })

interface MetricsRouteOptions {
  /** Its host is the one that a caller on this machine may name, beside loopback names. */
  readonly publicUrl: string
  /** Undefined: only callers on this machine, without a token. */
  readonly token: string | undefined
  readonly read: () => Promise<{ type: string, text: string }>
}

/** GET /metrics: for the operator's scraper alone. */
function metricsRoute({ token, publicUrl, read }: MetricsRouteOptions): Route {
  const isOwnHost = createHostCheck(publicUrl)
  return {
    method: 'GET',
    pattern: '/metrics',
    async handler(request) {
      if (token === undefined) refuseStrangers(request, isOwnHost(request.header('host')))
      else refuseWithout(token, request)
      const { type, text } = await read()
      return {
        status: 200, headers: [['Content-Type', type], ['Cache-Control', 'no-store']], body: text,
      }
    },
  }
}

/**
 * As if there were nothing here. The Host of a page whose name resolves to this machine (DNS
 * rebinding) is that page's.
 */
function refuseStrangers(request: HttpRequest, isOwnHost: boolean): void {
  const isForwarded = FORWARDED.some((name) => request.header(name) !== undefined)
  if (!isOwnHost || isForwarded || !isLoopback(request.address)) throw new Refusal('not_found')
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function refuseWithout(token: string, request: HttpRequest): void {
  const given = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1]
  const hint = 'Send the header Authorization: Bearer <METRICS_TOKEN>.'
  if (given === undefined) throw new Refusal('key_required', { hint })
  if (!timingSafeEqual(digest(given), digest(token))) throw new Refusal('key_invalid', { hint })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
