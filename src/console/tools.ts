/**
 * The tools as the console's page tries them: the same two faces, with a session that signs for an
 * agent of its own account where a program has a key.
 */
import { Refusal } from '../contract/errors.ts'
import type { Entrance, Gate } from '../gate/invoke.ts'
import type { Limits } from '../limits/limits.ts'
import { BASE_PATH, restHandler, type Enter } from '../http/rest.ts'
import type { HttpRequest, Method, Route } from '../contract/http.ts'
import { createMcpHandler } from '../mcp/endpoint.ts'
import type { Operation } from '../contract/operation.ts'
import type { Visitor } from '../contract/caller.ts'
import { orUnavailable } from '../redis/verdict.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'

export interface ToolParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  readonly operations: readonly Operation[]
  /** Session, token and rate of the console. */
  readonly enter: Enter
}

/** Under the console's API: `/tools/v1/goods` and `/tools/mcp`. */
export function toolRoutes(prefix: string, parts: ToolParts): Route[] {
  const { services, gate, operations } = parts
  const { config, log, quota } = services
  const enter = enterAsAgent(parts)
  return [
    ...operations.filter(({ tool }) => tool !== false).map((operation): Route => {
      const [method, path] = operation.route.split(' ') as [Method, string]
      return {
        method, pattern: `${prefix}${BASE_PATH}${path}`, limitedBy: 'caller',
        handler: restHandler(operation, gate, quota, enter),
      }
    }),
    {
      method: 'POST', pattern: `${prefix}/mcp`, limitedBy: 'caller',
      handler: createMcpHandler({
        gate, quota, operations, config, serverVersion: VERSION, log, enter,
      }),
    },
  ]
}

const AGENT = /^ag_[0-9A-Za-z_-]{8,64}$/

/** The agent of X-Agent, by its own limits beside those of the console. */
const enterAsAgent = ({ services, limits, enter }: ToolParts): Enter => async (request) => {
  const entrance = await enter(request)
  if (entrance.refusal) return entrance
  const { session } = entrance.caller as Visitor
  try {
    if (!session) throw new Refusal('sign_in_required')
    return await admitAgent(request, session.account)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...entrance, refusal: error }
  }

  async function admitAgent(client: HttpRequest, account: string): Promise<Entrance> {
    const name = client.header('x-agent') ?? ''
    if (!AGENT.test(name)) {
      throw new Refusal('invalid_request', { hint: 'Name an agent of the account in X-Agent.' })
    }
    const caller = { ...await orUnavailable(services.agents.find(account, name)), client }
    return { caller, ...await limits.admit(caller) }
  }
}
