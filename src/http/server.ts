/** Every address that a node answers. */
import type { Gate } from '../gate/invoke.ts'
import { createMcpHandler } from '../mcp/endpoint.ts'
import { operations } from '../operations/index.ts'
import type { Services } from '../services.ts'
import { openApi } from './openapi.ts'
import { pages } from './pages.ts'
import { BASE_PATH, restHandler } from './rest.ts'
import type { Handler, HttpReply, Method, Route } from './types.ts'
import { VERSION } from '../version.ts'

export interface ServerParts {
  readonly services: Services
  readonly gate: Gate
  /** Why the node should get no traffic now; undefined when it should. */
  readonly unready: () => Promise<string | undefined>
}

export function createRoutes({ services, gate, unready }: ServerParts): Route[] {
  const { config, log } = services
  const api = operations.map((operation): Route => {
    const [method, path] = operation.route.split(' ') as [Method, string]
    return { method, pattern: `${BASE_PATH}${path}`, handler: restHandler(operation, gate) }
  })
  const document = Buffer.from(JSON.stringify(openApi(operations, {
    serverUrl: `${config.publicUrl}${BASE_PATH}`, version: VERSION,
  })))
  const openApiHandler: Handler = () => json(200, document)
  const mcp = createMcpHandler({ gate, operations, config, serverVersion: VERSION, log })
  return [
    ...api,
    { method: 'POST', pattern: '/mcp', handler: mcp },
    { method: 'GET', pattern: '/openapi.json', handler: openApiHandler },
    { method: 'GET', pattern: `${BASE_PATH}/openapi.json`, handler: openApiHandler },
    { method: 'GET', pattern: '/healthz', handler: () => json(200, '{"status":"ok"}') },
    {
      method: 'GET',
      pattern: '/readyz',
      async handler() {
        const reason = await unready()
        return reason === undefined ? json(200, '{"status":"ready"}')
          : json(503, JSON.stringify({ status: 'unready', reason }))
      },
    },
    ...pages(services),
  ]
}

const json = (status: number, body: Buffer | string): HttpReply =>
  ({ status, headers: [['Content-Type', 'application/json; charset=utf-8']], body })
