/** Documents that stay the same while a node runs: compressed once, and sent once to a client. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Rendered } from '../site/frame.ts'
import { localeOf, LOCALES, type InBoth, type Locale } from '../site/locale.ts'
import type { Handler, HeaderList, HttpReply, HttpRequest } from '../contract/http.ts'

export interface DocumentOptions {
  readonly type: string
  readonly headers?: HeaderList
  /** Request headers that decide between this document and another at its address. */
  readonly varies?: readonly string[]
}

type Encoding = 'br' | 'gzip' | 'identity'
type Encoder = (bytes: Buffer) => Promise<Buffer>

/** The best brotli takes seven times as long, for a tenth less. */
const BROTLI_QUALITY = 9
const GZIP_LEVEL = 9
/** Kept for a while, and asked for again after an update. */
const AGE_S = 300
const HASH_LENGTH = 22

const ENCODERS: Readonly<Record<Encoding, Encoder>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  identity: async (bytes) => bytes,
}

/** `make` runs, and each encoding is made, when it is first asked for. */
export function documentHandler(
  make: () => Buffer | string, { type, headers = [], varies = [] }: DocumentOptions,
): Handler {
  let made: { readonly bytes: Buffer, readonly hash: string } | undefined
  const encoded = new Map<Encoding, Promise<Buffer>>()
  const common: HeaderList = [
    ['Cache-Control', `public, max-age=${AGE_S}`],
    ['Vary', [...varies, 'Accept-Encoding'].join(', ')],
    ...headers,
  ]

  function prepare(): { readonly bytes: Buffer, readonly hash: string } {
    const bytes = Buffer.from(make())
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_LENGTH)
    return { bytes, hash }
  }

  return async (request): Promise<HttpReply> => {
    const { bytes, hash } = made ??= prepare()
    const encoding = encodingOf(request.header('accept-encoding') ?? '')
    const etag = `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const always: HeaderList = [['ETag', etag], ...common]
    if (hasIt(request, etag)) return { status: 304, headers: always }
    const body = encoded.get(encoding) ?? ENCODERS[encoding](bytes)
    encoded.set(encoding, body)
    return {
      status: 200,
      headers: [
        ['Content-Type', type], ...always,
        ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
      ],
      body: await body,
    }
  }
}

/** A page for people, made when it is first asked for, with the policy that fits it. */
export function pageHandler(make: () => Rendered, varies: readonly string[]): Handler {
  let handler: Handler | undefined
  return (request) => {
    if (!handler) {
      const { html, policy } = make()
      handler = documentHandler(() => html, {
        type: 'text/html; charset=utf-8', varies,
        headers: [['Content-Security-Policy', policy], ['Referrer-Policy', 'no-referrer']],
      })
    }
    return handler(request)
  }
}

/** One handler for the document in either language; `make` is called once for each. */
export function inBothLanguages(
  make: (locale: Locale) => Handler, otherwise: Locale = 'en',
): Handler {
  const handlers = Object.fromEntries(
    LOCALES.map((locale) => [locale, make(locale)])) as InBoth<Handler>
  return (request) => handlers[localeOf(request, otherwise)](request)
}

/** The smallest that the client takes; a coding with q=0 is refused. */
function encodingOf(accepted: string): Encoding {
  const taken = new Set(accepted.toLowerCase().split(',').flatMap((part) => {
    const [name = '', parameter = ''] = part.split(';').map((word) => word.trim())
    return /^q=0(?:\.0*)?$/.test(parameter) ? [] : [name]
  }))
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity'
}

/** Compared weakly, as RFC 9110 has it for GET. */
function hasIt(request: HttpRequest, etag: string): boolean {
  const given = request.header('if-none-match')
  return given !== undefined && given.split(',').some((one) => {
    const known = one.trim().replace(/^W\//, '')
    return known === etag || known === '*'
  })
}
