/**
 * Every address of the console, and who may call it: session, origin, token and rate. Under /tools
 * the page tries the agents' tools: a session signs for an agent of its account instead of a key.
 */
import type { Sessions } from '../accounts/sessions.ts'
import type { Owner, Session, Visitor } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HttpReply, HttpRequest, Method, Route } from '../contract/http.ts'
import type { Admission } from '../gate/admission.ts'
import { countLimited, type Gate } from '../gate/gate.ts'
import { errorReply } from '../http/envelope.ts'
import { type AdmitRequest, BASE_PATH, restHandler } from '../http/rest.ts'
import type { Limits } from '../limits/limits.ts'
import { createMcpHandler } from '../mcp/endpoint.ts'
import type { NodeOperation } from '../operations/define.ts'
import { orUnavailable } from '../redis/command-errors.ts'
import type { Services } from '../services.ts'
import { VERSION } from '../version.ts'
import { pageRoutes } from './assets.ts'
import { createFiles } from './files.ts'
import { createLive } from './live.ts'
import { consoleOperations } from './operations/index.ts'

export interface ConsoleParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  /** Those of agents, which the page tries. */
  readonly operations: readonly NodeOperation[]
}

export const CONSOLE_API = '/console/api'

export function consoleRoutes({ services, gate, limits, operations }: ConsoleParts): Route[] {
  const { sessions, config: { publicUrl } } = services
  const parts = { sessions, limits, ownHost: new URL(publicUrl).host }
  const admit = {
    visitor: createConsoleAdmission(parts, 'visitor'),
    owner: createConsoleAdmission(parts, 'owner'),
    agent: createConsoleAdmission(parts, 'agent'),
  }
  const live = createLive(services)

  /** Answers an owner with what is not one JSON document. */
  const forOwner = (
    answer: (request: HttpRequest, owner: Owner) => HttpReply | Promise<HttpReply>,
  ): Handler =>
    async (request) => {
      const { caller, headers, refusal } = await admit.owner(request)
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
          admit[operation.access as 'visitor' | 'owner']),
      }
    }),
    {
      method: 'GET',
      pattern: `${CONSOLE_API}/live`,
      handler: forOwner((request, { session }) => live(request, session)),
    },
    ...toolRoutes(`${CONSOLE_API}/tools`, {
      services, gate, limits, operations, admit: admit.agent,
    }),
    ...Object.entries(createFiles(services)).map(([path, answer]): Route =>
      ({ method: 'GET', pattern: CONSOLE_API + path, handler: forOwner(answer) })),
    ...pageRoutes(services.config.cacheDir),
  ]
}

interface ToolParts {
  readonly services: Services
  readonly gate: Gate
  readonly limits: Limits
  readonly operations: readonly NodeOperation[]
  /** Session, token and rate of the console. */
  readonly admit: AdmitRequest
}

/** Both faces under the console's API: `/tools/v1/goods` and `/tools/mcp`. */
function toolRoutes(prefix: string, parts: ToolParts): Route[] {
  const { services, gate, operations } = parts
  const { config, log, quota, events } = services
  const admit = admitAsAgent(parts)
  return [
    ...operations.filter(({ tool }) => tool !== false).map((operation): Route => {
      const [method, path] = operation.route.split(' ') as [Method, string]
      return {
        method, pattern: `${prefix}${BASE_PATH}${path}`, limitedBy: 'caller',
        handler: restHandler(operation, gate, quota, admit),
      }
    }),
    {
      method: 'POST', pattern: `${prefix}/mcp`, limitedBy: 'caller',
      handler: createMcpHandler({
        gate, quota, operations, events, config, serverVersion: VERSION, log, admit,
      }),
    },
  ]
}

const AGENT = /^ag_[0-9A-Za-z_-]{8,64}$/

/** Admits as the agent of X-Agent, by its own limits beside those of the console. */
const admitAsAgent = ({ services, limits, admit }: ToolParts): AdmitRequest => async (request) => {
  const admission = await admit(request)
  if (admission.refusal) return admission
  const { session } = admission.caller as Visitor
  try {
    if (!session) throw new Refusal('sign_in_required')
    return await admitAgent(request, session.account)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...admission, refusal: error }
  }

  async function admitAgent(client: HttpRequest, account: string): Promise<Admission> {
    const name = client.header('x-agent') ?? ''
    if (!AGENT.test(name)) {
      throw new Refusal('invalid_request', { hint: 'Name an agent of the account in X-Agent.' })
    }
    const caller = { ...await orUnavailable(services.agents.find(account, name)), client }
    return { caller, ...await limits.admit(caller) }
  }
}

interface ConsoleAdmissionParts {
  readonly sessions: Pick<
    Sessions, 'find' | 'idOf' | 'cookie' | 'csrfMatches' | 'deviceCookie' | 'deviceOf'>
  readonly limits: Pick<Limits, 'admitConsole' | 'unspent'>
  /** Of PUBLIC_URL: a proxy may change the Host header. */
  readonly ownHost: string
}

/**
 * For operations of an access: a visitor has no session, and so no token to check; a call in the
 * name of an agent carries the token even where it only reads.
 */
function createConsoleAdmission(
  { sessions, limits, ownHost }: ConsoleAdmissionParts, access: 'visitor' | 'owner' | 'agent',
): AdmitRequest {
  async function sessionOf(request: HttpRequest): Promise<Session | undefined> {
    const id = sessions.idOf(request.header('cookie'))
    return id === undefined ? undefined : await sessions.find(id)
  }

  const isForged = (request: HttpRequest, session: Session | undefined): boolean =>
    (request.method !== 'GET' || access === 'agent') && (isForeign(request, ownHost)
      || (access !== 'visitor' && session !== undefined
        && !sessions.csrfMatches(session, request.header('x-csrf-token') ?? '')))

  return async (request) => {
    // Read now: once the client has disconnected, its address is gone.
    void request.address
    let session: Session | undefined
    try {
      session = await sessionOf(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { caller: visitor(request, undefined, undefined, () => {}), headers: limits.unspent,
        refusal: error }
    }
    const { headers, refusal } =
      countLimited(await limits.admitConsole(session?.account, request.address))
    let cookies: string[] = []
    const device = sessions.deviceOf(request.header('cookie'))
    const caller = visitor(request, session, device, (kept, keptDevice) => {
      cookies = [sessions.cookie(kept)]
      if (keptDevice !== undefined) cookies.push(sessions.deviceCookie(keptDevice))
    })
    const stop = refusal ?? (isForged(request, session) ? new Refusal('csrf_refused') : undefined)
    return {
      caller,
      // Read when the answer is made: by then the operation has set its cookies.
      get headers() {
        return [...headers, ...cookies.map((cookie) => ['Set-Cookie', cookie] as const)]
      },
      ...(stop && { refusal: stop }),
    } satisfies Admission
  }
}

const visitor = (
  client: HttpRequest, session: Session | undefined, device: string | undefined,
  keepSession: Visitor['keepSession'],
): Visitor => ({
  agent: null, account: session?.account ?? null, tier: 'console', client, session, device,
  keepSession,
})

/** Whether another site's page sent it. A request without an Origin comes from no page. */
function isForeign(request: HttpRequest, ownHost: string): boolean {
  const origin = request.header('origin')
  if (origin === undefined) return false
  try {
    return ![request.header('host'), ownHost].includes(new URL(origin).host)
  } catch {
    return true
  }
}
