/**
 * Pages of simulated malls under this service's address, so that a person on any machine can open
 * a purchase link and buy. Only what a shopper needs is passed on: never a gateway, never a
 * simulator's commands, no header of either side but those named here.
 */
import pLimit from 'p-limit'
import { SHOPS_PATH, type SandboxShops } from '../affiliate/shop-pages.ts'
import type { Limits } from '../limits/limits.ts'
import type { Logger } from '../log.ts'
import {
  CARD_STYLE, type CardContext, LANGUAGE_TAGS, type Locale, localeOf, type Notice, noticeReply,
  policyOf,
} from '../site/page.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'

export interface SandboxShopsOptions {
  readonly shops: SandboxShops
  readonly limits: Pick<Limits, 'takeDaily'>
  readonly log: Logger
  readonly publicUrl: string
}

/** Of an address: each purchase stays in the ledger. */
const PURCHASES_A_DAY = 200
const AT_ONCE = 16
const WAITING_MAX = 200
const DEADLINE_MS = 4000
const ANSWER_BYTES_MAX = 256 * 1024
const FORM_BYTES_MAX = 8192
const IMAGE_AGE_S = 86_400

const FORM = 'application/x-www-form-urlencoded'
const PAGES = {
  GET: /^(?:visit|(?:goods|order|image|s)\/[0-9A-Za-z_.-]{1,100})$/,
  POST: /^(?:buy|order\/[0-9A-Za-z_-]{1,60})$/,
} as const
const TYPES = /^(?:text\/html|image\/svg\+xml); charset=utf-8$/
const NEXT_PAGE = /^(?:order\/)?[0-9A-Za-z_-]{1,60}$/
const POLICY = policyOf({ style: CARD_STYLE },
  { 'img-src': ["'self'", 'data:'], 'form-action': ["'self'"] })
/** An SVG opened by itself is a document: it may run nothing and fetch nothing. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const MISSING: Notice = {
  en: ['No such page', 'This simulated mall has no such item or order.'],
  zh: ['没有这一页', '模拟商城没有这件商品或这个订单。'],
}
const UNREACHABLE: Notice = {
  en: ['The simulated mall does not answer', 'Try again soon.'],
  zh: ['模拟商城暂时打不开', '请稍后再试。'],
}
const TOO_MANY: Notice = {
  en: ['Enough pretended purchases for today', 'Go on tomorrow.'],
  zh: ['今天的模拟购买已够多', '请明天再来。'],
}

/** None where no mall is simulated. */
export function sandboxShopRoutes(options: SandboxShopsOptions): Route[] {
  const { shops, limits, log, publicUrl } = options
  if (Object.keys(shops).length === 0) return []
  const limit = pLimit(AT_ONCE)

  async function handler(request: HttpRequest): Promise<HttpReply> {
    const { mall = '', page: name = '', item } = request.params
    const context: CardContext = { publicUrl, locale: localeOf(request, 'zh') }
    const shop = Object.hasOwn(shops, mall) ? shops[mall] : undefined
    const path = item === undefined ? name : `${name}/${item}`
    const isPurchase = request.method === 'POST'
    if (!shop || !PAGES[isPurchase ? 'POST' : 'GET'].test(path)) {
      return noticeReply(404, context, MISSING)
    }
    const form = isPurchase ? await request.body() : undefined
    if (isPurchase && await limits.takeDaily('mall-purchases', request.address, PURCHASES_A_DAY)) {
      return noticeReply(429, context, TOO_MANY)
    }
    if (limit.pendingCount >= WAITING_MAX) return noticeReply(503, context, UNREACHABLE)
    try {
      const query = name === 'visit' ? `?${request.query}` : ''
      return await limit(() => fetchPage(`${shop.url}/shop/${path}${query}`, {
        form, locale: context.locale, signal: request.signal,
      }))
    } catch (error) {
      log.warn({ mall, error: (error as Error).message }, 'simulated mall not reached')
      return noticeReply(503, context, UNREACHABLE)
    }
  }

  return [`${SHOPS_PATH}/:mall/:page`, `${SHOPS_PATH}/:mall/:page/:item`].flatMap((pattern) =>
    (['GET', 'POST'] as const).map((method) =>
      ({ method, pattern, bodyBytesMax: FORM_BYTES_MAX, handler })))
}

interface PageRequest {
  readonly form: Buffer | undefined
  readonly locale: Locale
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

async function fetchPage(
  address: string, { form, locale, signal }: PageRequest,
): Promise<HttpReply> {
  const answer = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    headers: { 'accept-language': LANGUAGE_TAGS[locale], ...(form && { 'content-type': FORM }) },
    ...(form && { method: 'POST', body: form.toString() }),
  })
  const body = await bodyOf(answer)
  const type = answer.headers.get('content-type') ?? ''
  const next = answer.headers.get('location') ?? ''
  const isMove = answer.status === 303 && NEXT_PAGE.test(next)
  if (!isMove && (!TYPES.test(type) || (answer.status !== 200 && answer.status !== 404))) {
    throw new Error(`It answered ${answer.status} ${type}`)
  }
  return {
    status: answer.status,
    headers: [
      ['Content-Security-Policy', type.startsWith('image/') ? IMAGE_POLICY : POLICY],
      ['Referrer-Policy', 'no-referrer'], ['X-Robots-Tag', 'noindex'], ['Vary', 'Accept-Language'],
      ['Cache-Control', type.startsWith('image/') && answer.status === 200
        ? `public, max-age=${IMAGE_AGE_S}` : 'no-store'],
      isMove ? ['Location', next] : ['Content-Type', type],
    ],
    body,
  }
}

async function bodyOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > ANSWER_BYTES_MAX) throw new RangeError('The answer is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
