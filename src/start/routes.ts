/** Every address that a node answers: each face registers its own. */
import { consoleOperations } from '../console/operations/index.ts'
import { consoleRoutes } from '../console/routes.ts'
import type { Route } from '../contract/http.ts'
import { MCP_PATH } from '../http/access.ts'
import { httpRoutes, type HttpParts } from '../http/routes.ts'
import { createMcpHandler } from '../mcp/endpoint.ts'
import { measures } from '../measures.ts'
import { operations as table } from '../operations/index.ts'
import { createUcp } from '../ucp/routes.ts'
import { VERSION } from '../version.ts'

/** Tests give another table. */
export type RouteParts = Omit<HttpParts, 'operations'> & Partial<Pick<HttpParts, 'operations'>>

export function createRoutes({ operations = table, ...parts }: RouteParts): Route[] {
  const { services, gate, limits } = parts
  const { config, log, quota, events } = services
  const ucp = createUcp({ services, gate })
  const all = [...operations, ...ucp.operations, ...consoleOperations]
  measures.requests.expect(all.map(({ name }) => name))
  const mcp = createMcpHandler({
    gate, quota, operations, events, config, serverVersion: VERSION, log,
  })
  return [
    ...httpRoutes({ ...parts, operations }),
    { method: 'POST', pattern: MCP_PATH, limitedBy: 'caller', handler: mcp },
    ...ucp.routes,
    {
      method: 'POST', pattern: ucp.mcpPath, limitedBy: 'caller', handler: createMcpHandler({
        gate, operations: ucp.operations, config, serverVersion: VERSION, log, dialect: ucp,
      }),
    },
    ...consoleRoutes({ services, gate, limits, operations }),
  ]
}
