/**
 * Which browser pages may call. A program sends no Origin and has no page's authority to misuse;
 * a page reaches whatever its user's machine reaches.
 *
 * A node that listens on the loopback address is a developer's own, and a page of any site could
 * call it: directly, or by a name of that site that resolves to 127.0.0.1 (DNS rebinding), which
 * only the Host header shows. Where PUBLIC_URL names a public host, a proxy on this machine
 * publishes the node: everybody can reach it anyway, and ALLOWED_ORIGINS alone decides.
 */
import type { Config } from '../config.ts'
import { LOOPBACK } from '../config-values.ts'
import { Refusal } from '../contract/errors.ts'
import type { HttpRequest } from '../contract/http.ts'

export type OriginConfig = Pick<Config, 'host' | 'allowedOrigins' | 'publicUrl'>

/** Why a request is refused, in our own words; undefined for one that may go on. */
export type OriginCheck = (request: Pick<HttpRequest, 'header'>) => string | undefined

const WITHOUT_PORT = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/

const HOST_REFUSED =
  'This Host is not an address of this server. Its operator sets PUBLIC_URL to the one it has.'
const ORIGIN_REFUSED =
  'This Origin may not call this server. Its operator lists it in ALLOWED_ORIGINS.'

export function createOriginCheck({ host, allowedOrigins, publicUrl }: OriginConfig): OriginCheck {
  const own = new URL(publicUrl)
  const isLocal = LOOPBACK.test(host)
  const hostAllowed = createHostCheck(publicUrl)
  const isPublished = !LOOPBACK.test(own.hostname)
  const isOpen = allowedOrigins === '*' && (!isLocal || isPublished)
  const listed = new Set(allowedOrigins === '*' ? [] : allowedOrigins).add(own.origin)

  const originAllowed = (value: string | undefined): boolean =>
    value === undefined || isOpen || listed.has(value) || (isLocal && isLoopbackOrigin(value))

  return (request) => {
    if (isLocal && !hostAllowed(request.header('host'))) return HOST_REFUSED
    return originAllowed(request.header('origin')) ? undefined : ORIGIN_REFUSED
  }
}

/** Whether a Host header names this machine's own addresses, or PUBLIC_URL. */
export function createHostCheck(publicUrl: string): (host: string | undefined) => boolean {
  const own = new URL(publicUrl).hostname
  const isAllowed = (host: string): boolean => {
    const [, name = ''] = WITHOUT_PORT.exec(host) ?? []
    return LOOPBACK.test(name) || name.toLowerCase() === own
  }
  // One caller after the other names the same.
  let last = { host: '', isAllowed: isAllowed('') }
  return (host = '') => {
    if (host !== last.host) last = { host, isAllowed: isAllowed(host) }
    return last.isAllowed
  }
}

/**
 * Refuses pages that ALLOWED_ORIGINS does not name, even where it is `*`: for what a page could
 * have its visitors do for it. Programs send no Origin.
 */
export function createPageCheck(
  { allowedOrigins, ...config }: OriginConfig,
): (request: Pick<HttpRequest, 'header'>) => void {
  const check = createOriginCheck({
    ...config, allowedOrigins: allowedOrigins === '*' ? [] : allowedOrigins,
  })
  return (request) => {
    const hint = check(request)
    if (hint !== undefined) throw new Refusal('origin_refused', { hint })
  }
}

function isLoopbackOrigin(origin: string): boolean {
  const [, scheme, host = ''] = /^(https?):\/\/(.*)$/.exec(origin) ?? []
  const [, name = ''] = WITHOUT_PORT.exec(host) ?? []
  return scheme !== undefined && LOOPBACK.test(name)
}
