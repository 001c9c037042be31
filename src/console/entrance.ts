/** Who is at the console, and may they ask for this: session, origin, token, rate. */
import type { Sessions } from '../accounts/sessions.ts'
import { Refusal } from '../contract/errors.ts'
import { countLimited, type Entrance } from '../gate/invoke.ts'
import type { Limits } from '../limits/limits.ts'
import type { Enter } from '../http/rest.ts'
import type { HttpRequest } from '../contract/http.ts'
import type { Session, Visitor } from '../contract/caller.ts'

export interface ConsoleEntranceParts {
  readonly sessions: Pick<
    Sessions, 'find' | 'idOf' | 'cookie' | 'csrfMatches' | 'deviceCookie' | 'deviceOf'>
  readonly limits: Pick<Limits, 'admitConsole' | 'unspent'>
  /** Of PUBLIC_URL: a proxy may change the Host header. */
  readonly ownHost: string
}

/**
 * For operations of an access: visitors have no session whose token could be asked for, and calls
 * in the name of an agent carry it even where they only read.
 */
export function createConsoleEntrance(
  { sessions, limits, ownHost }: ConsoleEntranceParts, access: 'visitor' | 'owner' | 'agent',
): Enter {
  async function sessionOf(request: HttpRequest): Promise<Session | undefined> {
    const id = sessions.idOf(request.header('cookie'))
    return id === undefined ? undefined : await sessions.find(id)
  }

  const isForged = (request: HttpRequest, session: Session | undefined): boolean =>
    (request.method !== 'GET' || access === 'agent') && (isForeign(request, ownHost)
      || (access !== 'visitor' && session !== undefined
        && !sessions.csrfMatches(session, request.header('x-csrf-token') ?? '')))

  return async (request) => {
    // Asked for now: who has gone meanwhile can no longer be asked.
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
      // Read when the answer is made: by then the operation has said what the browser keeps.
      get headers() {
        return [...headers, ...cookies.map((cookie) => ['Set-Cookie', cookie] as const)]
      },
      ...(stop && { refusal: stop }),
    } satisfies Entrance
  }
}

const visitor = (
  client: HttpRequest, session: Session | undefined, device: string | undefined,
  keepSession: Visitor['keepSession'],
): Visitor => ({
  agent: null, account: session?.account ?? null, tier: 'console', client, session, device,
  keepSession,
})

/** Asked for by another site's page. Without an Origin it is no page that asks. */
function isForeign(request: HttpRequest, ownHost: string): boolean {
  const origin = request.header('origin')
  if (origin === undefined) return false
  try {
    return ![request.header('host'), ownHost].includes(new URL(origin).host)
  } catch {
    return true
  }
}
