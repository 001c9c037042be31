/** Every address of the console. */
import { Refusal } from '../contract/errors.ts'
import type { Gate } from '../gate/invoke.ts'
import type { Limits } from '../limits/limits.ts'
import { errorReply } from '../http/envelope.ts'
import { restHandler } from '../http/rest.ts'
import type { Handler, HttpReply, HttpRequest, Method, Route } from '../contract/http.ts'
import type { Operation } from '../contract/operation.ts'
import type { Owner } from '../contract/caller.ts'
import type { Services } from '../services.ts'
import { pageRoutes } from './assets.ts'
import { createConsoleEntrance } from './entrance.ts'
import { createFiles } from './files.ts'
import { createLive } from './live.ts'
import { consoleOperations } from './operations/index.ts'
import { toolRoutes } from './tools.ts'

export interface ConsoleParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  /** What agents are offered: the page tries it. */
  readonly operations: readonly Operation[]
}

export const CONSOLE_API = '/console/api'

export function consoleRoutes({ services, gate, limits, operations }: ConsoleParts): Route[] {
  const { sessions, config: { publicUrl } } = services
  const parts = { sessions, limits, ownHost: new URL(publicUrl).host }
  const enter = {
    visitor: createConsoleEntrance(parts, 'visitor'),
    owner: createConsoleEntrance(parts, 'owner'),
    agent: createConsoleEntrance(parts, 'agent'),
  }
  const live = createLive(services)

  /** Answers an owner with what is not one JSON document. */
  const forOwner = (
    answer: (request: HttpRequest, owner: Owner) => HttpReply | Promise<HttpReply>,
  ): Handler =>
    async (request) => {
      const { caller, headers, refusal } = await enter.owner(request)
      request.limits = headers
      const owner = caller as Owner
      if (refusal) return errorReply(refusal, request.id, headers)
      if (!owner.session) return errorReply(new Refusal('sign_in_required'), request.id, headers)
      const reply = await answer(request, owner)
      return { ...reply, headers: [...reply.headers ?? [], ...headers] }
    }

  return [
    ...consoleOperations.map((operation): Route => {
      const [method, path] = operation.route.split(' ') as [Method, string]
      return {
        method,
        pattern: `${CONSOLE_API}${path}`,
        limitedBy: 'caller',
        handler: restHandler(operation, gate, undefined,
          enter[operation.access as 'visitor' | 'owner']),
      }
    }),
    {
      method: 'GET',
      pattern: `${CONSOLE_API}/live`,
      handler: forOwner((request, { session }) => live(request, session)),
    },
    ...toolRoutes(`${CONSOLE_API}/tools`, {
      services, gate, limits, operations, enter: enter.agent,
    }),
    ...Object.entries(createFiles(services)).map(([path, answer]): Route =>
      ({ method: 'GET', pattern: CONSOLE_API + path, handler: forOwner(answer) })),
    ...pageRoutes(services.config.cacheDir),
  ]
}
