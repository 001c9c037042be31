/** GET /go/:code and /go/offers/…: redirect to a platform, and count visits of people. */
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Limits } from '../limits/limits.ts'
import type { Shape } from '../redis/counters.ts'
import type { Target } from '../affiliate/links.ts'
import { OFFERS_PATH } from '../affiliate/offer-links.ts'
import type { Services } from '../services.ts'
import { localeOf, type Notice, noticeReply } from '../site/page.ts'
import { AddressBucket } from '../limits/address-bucket.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

/** Of an address: bounds its writes to the ledger; the count of clicks is an estimate. */
const CLICKS_A_DAY = 2000

/** Unknown links by address: each costs a read of the ledger. */
const MISSES: Shape = { rate_per_s: 1, burst: 60 }
/** How long an unknown link is remembered; a new one has a name of its own. */
const UNKNOWN_MS = 5000
const UNKNOWN_MAX = 10_000
const NAME_LENGTH_MAX = 512

const ENDED: Notice = {
  en: ['This link has ended', 'Ask your agent for a new one.'],
  zh: ['链接已失效', '请让助手重新给您一个链接。'],
}

/** Header values of browsers and chat apps that only prefetch. */
const PREFETCH = /prefetch|prerender|preview/i
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const

export function goRoutes(services: Services, limits: Pick<Limits, 'takeDaily'>): Route[] {
  const misses = new AddressBucket('unknown-links', MISSES)
  const unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX, ttl: UNKNOWN_MS })

  /** Takes a token before it reads the ledger, and refunds it where the name is known. */
  async function find<T>(
    name: string, address: string, look: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (unknown.has(name)) return undefined
    const flood = await misses.take(address)
    if (flood) throw flood
    const found = await look()
    if (found) misses.refund(address)
    else if (name.length <= NAME_LENGTH_MAX) unknown.set(name, true)
    return found
  }

  async function count(code: string, target: Target, request: HttpRequest): Promise<void> {
    const { affiliate: { links }, secrets, log } = services
    const visitor = visitorOf(request)
    if (visitor === undefined) return
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

  const ended = (request: HttpRequest): HttpReply => noticeReply(
    404, { publicUrl: services.config.publicUrl, locale: localeOf(request, 'zh') }, ENDED)

  async function openLink(request: HttpRequest): Promise<HttpReply> {
    const { code = '' } = request.params
    const target = await find(
      code, request.address, () => services.affiliate.links.target(code))
    if (!target) return ended(request)
    await count(code, target, request)
    return redirect(target.url)
  }

  async function openOffer(request: HttpRequest): Promise<HttpReply> {
    const { agent = '', item: itemId = '', signature = '' } = request.params
    const opened = await find(request.path, request.address,
      () => services.affiliate.offers.open({ agent, itemId, signature }, request))
    if (!opened) return ended(request)
    const { link } = opened
    if (link) await count(link.code, link.target, request)
    return redirect(opened.url)
  }
  return [
    { method: 'GET', pattern: '/go/:code', handler: openLink },
    { method: 'GET', pattern: `${OFFERS_PATH}/:item/:agent/:signature`, handler: openOffer },
  ]
}

/** To a stored address, without anything of the request. */
const redirect = (url: string): HttpReply => ({
  status: 302,
  headers: [
    ['Location', new URL(url).href],
    ['Cache-Control', 'no-store'],
    ['Referrer-Policy', 'no-referrer'],
  ],
})

/** Undefined for programs and prefetches. */
function visitorOf(request: HttpRequest): string | undefined {
  const agent = request.header('user-agent') ?? ''
  const isPrefetch = PURPOSE_HEADERS.some((name) => PREFETCH.test(request.header(name) ?? ''))
  if (request.isHead || isPrefetch || agent === '' || isbot(agent)) return undefined
  return `${request.address} ${agent}`
}
