/** GET /go/:code: on to a platform. A person's visit is counted on the way, a program's is not. */
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Limits } from '../limits/limits.ts'
import type { Shape } from '../redis/counters.ts'
import type { Target } from '../affiliate/links.ts'
import type { Services } from '../services.ts'
import { localeOf } from '../site/locale.ts'
import { AddressBucket } from './address-bucket.ts'
import { noticeReply, type Notice } from './card-reply.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

/** Of an address: a count is an estimate, and nobody writes to the ledger as often as they like. */
const CLICKS_A_DAY = 2000

/** Codes that lead nowhere, by address: each costs a read of the ledger. */
const MISSES: Shape = { rate_per_s: 1, burst: 60 }
/** Such codes are remembered for so long; a new link has a code that nobody asked for before. */
const UNKNOWN_MS = 5000
const UNKNOWN_MAX = 10_000
const CODE_LENGTH_MAX = 64

const ENDED: Notice = {
  en: ['This link has ended', 'Ask your agent for a new one.'],
  zh: ['链接已失效', '请让助手重新给您一个链接。'],
}

/** What browsers and chat apps say when they only look ahead. */
const LOOKING_AHEAD = /prefetch|prerender|preview/i
const AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

export function goRoute(services: Services, limits: Pick<Limits, 'takeDaily'>): Route {
  const misses = new AddressBucket('unknown-links', MISSES)
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX, ttl: UNKNOWN_MS })

  /** A token is spent before the ledger is read, and given back where the code leads somewhere. */
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
        if (!isTooMany) await links.click(code, target, secrets.keyedHash('visitor', visitor))
      } catch (error) {
        // Nobody should be kept from buying by a count.
        log.warn({ error: (error as Error).message }, 'click not counted')
      }
    }
    return {
      status: 302,
      headers: [
        // As it was stored: nothing of the request is part of it.
        ['Location', new URL(target.url).href],
        ['Cache-Control', 'no-store'],
        ['Referrer-Policy', 'no-referrer'],
      ],
    }
  }
  return { method: 'GET', pattern: '/go/:code', handler }
}

/** Undefined for what is no person's visit. */
function visitorOf(request: HttpRequest): string | undefined {
  const agent = request.header('user-agent') ?? ''
  const isAhead = AHEAD_HEADERS.some((name) => LOOKING_AHEAD.test(request.header(name) ?? ''))
  if (request.isHead || isAhead || agent === '' || isbot(agent)) return undefined
  return `${request.address} ${agent}`
}
