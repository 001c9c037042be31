/** Every address of the console. */
import { Refusal } from '../errors.ts'
import { boundsOf } from '../earnings/month.ts'
import type { Gate } from '../gate/invoke.ts'
import type { Limits } from '../gate/limits.ts'
import { errorReply } from '../http/envelope.ts'
import { restHandler } from '../http/rest.ts'
import type { Handler, HttpReply, HttpRequest, Method, Route } from '../http/types.ts'
import type { Operation, Owner } from '../operations/define.ts'
import type { Services } from '../services.ts'
import { pageRoutes } from './assets.ts'
import { createConsoleEntrance } from './entrance.ts'
import { createLive } from './live.ts'
import { consoleOperations } from './operations/index.ts'
import { createRoom, type Room } from './room.ts'
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
  const statements = createRoom({
    policy: 'console-statements', hint: 'Wait until the statement before has come.',
    eachMax: 2, totalMax: 20,
  })

  /** Answers an owner with what is not one JSON document. */
  const forOwner = (answer: (request: HttpRequest, owner: Owner) => HttpReply): Handler =>
    async (request) => {
      const { caller, headers, refusal } = await enter.owner(request)
      request.limits = headers
      const owner = caller as Owner
      if (refusal) return errorReply(refusal, request.id, headers)
      if (!owner.session) return errorReply(new Refusal('sign_in_required'), request.id, headers)
      const reply = answer(request, owner)
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
    {
      method: 'GET',
      pattern: `${CONSOLE_API}/statements/:month`,
      handler: forOwner((request, { account }) =>
        statement(services, statements, request, account)),
    },
    ...toolRoutes(`${CONSOLE_API}/tools`, {
      services, gate, limits, operations, enter: enter.agent,
    }),
    ...pageRoutes(services.config.cacheDir),
  ]
}

function statement(
  { earnings }: Services, room: Room, request: HttpRequest, account: string,
): HttpReply {
  const month = request.params['month'] ?? ''
  const bounds = boundsOf(month)
  if (!bounds) {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'month', problem: 'must be a month such as 2026-11' }],
    })
  }
  const name = `agentmall-${earnings.mode === 'live' ? '' : 'sandbox-'}${month}`
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/csv; charset=utf-8'],
      ['Content-Disposition', `attachment; filename="${name}.csv"`],
      ['Cache-Control', 'no-store'],
    ],
    stream: room.hold(request, account, earnings.statement(account, bounds, request.signal)),
  }
}
