/**
 * What tells newcomers and programs what is here: home, OpenAPI, reference, plugin. These documents
 * stay the same while a node runs: each is compressed once, and sent once to a client.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  acceptedEncodings, isBrowser, type Handler, type HeaderList, type HttpReply, type HttpRequest,
  type Route,
} from '../contract/http.ts'
import { jsonBytes } from '../contract/json.ts'
import type { OperationSpec } from '../contract/operation.ts'
import { readTiers } from '../limits/tiers.ts'
import { ARCHIVE_PATH, createPlugin, type PluginOptions, SKILL_PATH } from '../plugin/plugin.ts'
import { type Locale, localeOf, LOCALES, type PerLocale, type Rendered } from '../site/page.ts'
import { success } from './envelope.ts'
import { homePage, pluginPage } from './developer-pages.ts'
import { docsMarkdown, llmsText } from './reference/markdown.ts'
import { openApi } from './reference/openapi.ts'
import { docsPage, type PageOptions } from './reference/page.ts'

export interface DocumentsOptions {
  readonly operations: readonly OperationSpec[]
  readonly publicUrl: string
  readonly basePath: string
  readonly version: string
}

interface DocumentOptions {
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
/** Clients keep it for so long, and ask again after an update. */
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

const MARKDOWN = { type: 'text/markdown; charset=utf-8', varies: ['Accept-Language'] }

export function documentRoutes(options: DocumentsOptions): Route[] {
  const { basePath } = options
  const tiers = readTiers()
  const inLocale = (locale: Locale): PageOptions => ({ ...options, tiers, locale })
  const specification = documentHandler(
    () => JSON.stringify(openApi(options.operations, options)),
    { type: 'application/json; charset=utf-8' })
  const reference = inBothLanguages((locale) =>
    pageHandler(() => docsPage(inLocale(locale)), ['Accept-Language']))
  const markdown = inBothLanguages((locale) =>
    documentHandler(() => docsMarkdown(inLocale(locale)), MARKDOWN))
  const llms = documentHandler(() => llmsText(inLocale('en')),
    { type: 'text/plain; charset=utf-8' })
  const home = inBothLanguages((locale) =>
    pageHandler(() => homePage(options, locale), ['Accept', 'Accept-Language']))
  const index = indexOf(options)
  return [
    { method: 'GET', pattern: '/openapi.json', handler: specification },
    { method: 'GET', pattern: `${basePath}/openapi.json`, handler: specification },
    { method: 'GET', pattern: '/docs', handler: reference },
    { method: 'GET', pattern: '/docs.md', handler: markdown },
    { method: 'GET', pattern: '/llms.txt', handler: llms },
    { method: 'GET', pattern: '/', handler: pageForPeople(home, index) },
    { method: 'GET', pattern: basePath, handler: pageForPeople(() => TO_REFERENCE, index) },
    ...pluginRoutes(options),
  ]
}

const TO_REFERENCE: HttpReply = {
  status: 302,
  headers: [['Location', 'docs'], ['Vary', 'Accept'], ['Cache-Control', 'no-store']],
}

/** People land on a page; programs get addresses. */
const pageForPeople = (page: Handler, index: HttpReply): Handler =>
  (request) => (isBrowser(request) ? page(request) : index)

function indexOf({ publicUrl, basePath, version }: DocumentsOptions): HttpReply {
  return success(jsonBytes({
    name: 'agentmall',
    version,
    description: 'A commerce service for AI agents: goods search, ordering, fulfilment and '
      + 'after-sales, over REST and MCP.',
    rest_url: `${publicUrl}${basePath}`,
    mcp_url: `${publicUrl}/mcp`,
    openapi_url: `${publicUrl}/openapi.json`,
    docs_url: `${publicUrl}/docs`,
    docs_markdown_url: `${publicUrl}/docs.md`,
    plugin_url: `${publicUrl}/plugin`,
    console_url: `${publicUrl}/console`,
  }), null, [['Vary', 'Accept']], false)
}

/** GET /plugin (a page for people, a manifest for programs), the archive, and the skill alone. */
export function pluginRoutes(options: PluginOptions): Route[] {
  const plugin = createPlugin(options)
  const { name, version, mcpUrl, archiveUrl, archive, sha256, files, hosts } = plugin
  const manifest = documentHandler(() => JSON.stringify({
    name, version, mcp_url: mcpUrl,
    archive: { url: archiveUrl, bytes: archive.length, sha256 },
    skill_url: `${options.publicUrl}/plugin/SKILL.md`,
    files: [...files.keys()],
    hosts,
  }), { type: 'application/json; charset=utf-8', varies: ['Accept'] })
  const page = inBothLanguages((locale) =>
    pageHandler(() => pluginPage(plugin, options, locale), ['Accept', 'Accept-Language']))
  const skill = documentHandler(() => files.get(SKILL_PATH) ?? '',
    { type: 'text/markdown; charset=utf-8' })
  const zip: HttpReply = {
    status: 200,
    headers: [
      ['Content-Type', 'application/zip'], ['Cache-Control', 'public, max-age=300'],
      ['Content-Disposition', `attachment; filename="${name}.zip"`],
      ['ETag', `"${sha256}"`],
    ],
    body: archive,
  }
  const index: Handler = (request) => (isBrowser(request) ? page : manifest)(request)
  return [
    { method: 'GET', pattern: '/plugin', handler: index },
    { method: 'GET', pattern: ARCHIVE_PATH, handler: () => zip },
    { method: 'GET', pattern: '/plugin/SKILL.md', handler: skill },
  ]
}

/** `make` runs, and each encoding is made, at the first request for it. */
function documentHandler(
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
    const validators: HeaderList = [['ETag', etag], ...common]
    if (hasCurrent(request, etag)) return { status: 304, headers: validators }
    const body = encoded.get(encoding) ?? ENCODERS[encoding](bytes)
    encoded.set(encoding, body)
    return {
      status: 200,
      headers: [
        ['Content-Type', type], ...validators,
        ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
      ],
      body: await body,
    }
  }
}

/** A page for people, made at the first request for it, with the policy that fits it. */
function pageHandler(make: () => Rendered, varies: readonly string[]): Handler {
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
function inBothLanguages(
  make: (locale: Locale) => Handler, otherwise: Locale = 'en',
): Handler {
  const handlers = Object.fromEntries(
    LOCALES.map((locale) => [locale, make(locale)])) as PerLocale<Handler>
  return (request) => handlers[localeOf(request, otherwise)](request)
}

/** The smallest that the client takes. */
function encodingOf(accepted: string): Encoding {
  const taken = acceptedEncodings(accepted)
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity'
}

/** Compared weakly, as RFC 9110 has it for GET. */
function hasCurrent(request: HttpRequest, etag: string): boolean {
  const given = request.header('if-none-match')
  return given !== undefined && given.split(',').some((one) => {
    const known = one.trim().replace(/^W\//, '')
    return known === etag || known === '*'
  })
}
