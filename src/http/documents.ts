/** What tells newcomers and programs what is here: home, OpenAPI, reference, plugin. */
import { readTiers } from '../limits/tiers.ts'
import { jsonBytes } from '../contract/json.ts'
import type { Operation } from '../contract/operation.ts'
import type { Locale } from '../site/locale.ts'
import { documentHandler, inBothLanguages, pageHandler } from './document.ts'
import { success } from './envelope.ts'
import { homePage } from './home.ts'
import { isBrowser } from '../contract/media.ts'
import { pluginRoutes } from './plugin.ts'
import { docsMarkdown, llmsText } from './reference/markdown.ts'
import { openApi } from './reference/openapi.ts'
import { docsPage, type PageOptions } from './reference/page.ts'
import type { Handler, HttpReply, Route } from '../contract/http.ts'

export interface DocumentsOptions {
  readonly operations: readonly Operation[]
  readonly publicUrl: string
  readonly basePath: string
  readonly version: string
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
    { method: 'GET', pattern: '/', handler: peopleTo(home, index) },
    { method: 'GET', pattern: basePath, handler: peopleTo(() => TO_REFERENCE, index) },
    ...pluginRoutes(options),
  ]
}

const TO_REFERENCE: HttpReply = {
  status: 302,
  headers: [['Location', 'docs'], ['Vary', 'Accept'], ['Cache-Control', 'no-store']],
}

/** People land on a page; programs get addresses. */
const peopleTo = (page: Handler, index: HttpReply): Handler =>
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
