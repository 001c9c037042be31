/** GET /go/:code: redirects to a platform, and counts visits of people. */
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Limits } from '../limits/limits.ts'
import type { Shape } from '../redis/counters.ts'
import type { Target } from '../affiliate/links.ts'
import type { Services } from '../services.ts'
import { localeOf, type Notice, noticeReply } from '../site/page.ts'
import { AddressBucket } from '../limits/address-bucket.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

/** Of an address: bounds its writes to the ledger; the count of clicks is an estimate. */
const CLICKS_A_DAY = 2000

/** Unknown codes by address: each costs a read of the ledger. */
const MISSES: Shape = { rate_per_s: 1, burst: 60 }
/** How long an unknown code is remembered; a new link has a code of its own. */
const UNKNOWN_MS = 5000
const UNKNOWN_MAX = 10_000
const CODE_LENGTH_MAX = 64

const ENDED: Notice = {
  en: ['This link has ended', 'Ask your agent for a new one.'],
  zh: ['链接已失效', '请让助手重新给您一个链接。'],
}

/** Header values of browsers and chat apps that only prefetch. */
const PREFETCH = /prefetch|prerender|preview/i
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

export function goRoute(services: Services, limits: Pick<Limits, 'takeDaily'>): Route {
  const misses = new AddressBucket('unknown-links', MISSES)
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX, ttl: UNKNOWN_MS })

  /** Takes a token before it reads the ledger, and refunds it where the code is known. */
  async function find(code: string, address: string): Promise<Target | undefined> {
    if (unknown.has(code)) return undefined
    const flood = await misses.take(address)
    if (flood) throw flood
    const target = await services.affiliate.links.target(code)
    if (target) misses.refund(address)
    else if (code.length <= CODE_LENGTH_MAX) unknown.set(code, true)
    return target
  }

  async function handler(request: HttpRequest): Promise<HttpReply> {
    const { affiliate: { links }, secrets, log, config: { publicUrl } } = services
    const { code = '' } = request.params
    const visitor = visitorOf(request)
    const target = await find(code, request.address)
    if (!target) {
      return noticeReply(404, { publicUrl, locale: localeOf(request, 'zh') }, ENDED)
    }
    if (visitor !== undefined) {
      try {
        const isTooMany = await limits.takeDaily('clicks', request.address, CLICKS_A_DAY)
        const isCounted = !isTooMany
          && await links.click(code, target, secrets.keyedHash('visitor', visitor))
        if (isCounted) await services.events.ringFollowers(target.agent)
      } catch (error) {
        // A failed count must not keep a person from buying.
        log.warn({ error: (error as Error).message }, 'click not counted')
      }
    }
    return {
      status: 302,
      headers: [
        // The stored address, without anything of the request.
        ['Location', new URL(target.url).href],
        ['Cache-Control', 'no-store'],
        ['Referrer-Policy', 'no-referrer'],
      ],
    }
  }
  return { method: 'GET', pattern: '/go/:code', handler }
}

/** Undefined for programs and prefetches. */
function visitorOf(request: HttpRequest): string | undefined {
  const agent = request.header('user-agent') ?? ''
  const isPrefetch = PURPOSE_HEADERS.some((name) => PREFETCH.test(request.header(name) ?? ''))
  if (request.isHead || isPrefetch || agent === '' || isbot(agent)) return undefined
  return `${request.address} ${agent}`
}
