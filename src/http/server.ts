/** The REST face, documents, pages and checks: every address that is no other face's. */
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import type { Gate } from '../gate/invoke.ts'
import type { Limits } from '../limits/limits.ts'
import type { Operation } from '../contract/operation.ts'
import { createTrialKey } from '../operations/create-trial-key.ts'
import type { Services } from '../services.ts'
import { documentRoutes } from './documents.ts'
import { goRoute } from './go.ts'
import { metricsRoute, type MetricsOptions } from './metrics.ts'
import { pages } from './pages.ts'
import { paymentRoutes } from './payments.ts'
import { BASE_PATH, restHandler } from './rest.ts'
import { createPageCheck } from '../gate/origins.ts'
import { sandboxShopRoutes } from './sandbox-shops.ts'
import type { Handler, HttpReply, Method, Route } from '../contract/http.ts'
import { VERSION } from '../version.ts'

export interface HttpParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  /** Why the node should get no traffic now; undefined when it should. */
  readonly unready: () => Promise<string | undefined>
  /** Malls that are simulated; without them their pages do not exist. */
  readonly sandboxShops?: SandboxShops
  /** What the operator's scraper is told; without it there is no such address. */
  readonly readMetrics?: MetricsOptions['read']
  /** The table that everything derives from. */
  readonly operations: readonly Operation[]
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
      handler: operation.name === createTrialKey.name ? guarded : handler,
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
    ...pages(services),
    ...paymentRoutes(services, limits),
    goRoute(services, limits),
    ...sandboxShopRoutes({
      shops, limits, log, publicUrl: config.publicUrl,
    }),
  ]
}

const json = (status: number, body: Buffer | string): HttpReply =>
  ({ status, headers: [['Content-Type', 'application/json; charset=utf-8']], body })
