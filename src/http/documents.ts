/** What tells newcomers and programs what is here: index, OpenAPI, reference page, plugin. */
import { readTiers } from '../gate/tiers.ts'
import { jsonBytes } from '../json.ts'
import type { Operation } from '../operations/define.ts'
import { success } from './envelope.ts'
import { isBrowser } from './media.ts'
import { pluginRoutes } from './plugin.ts'
import { openApi } from './reference/openapi.ts'
import { docsPage, DOCS_POLICY } from './reference/page.ts'
import type { Handler, HttpReply, Route } from './types.ts'

export interface DocumentsOptions {
  readonly operations: readonly Operation[]
  readonly publicUrl: string
  readonly basePath: string
  readonly version: string
}

/** Kept for a while, and asked for again after an update. */
const CACHE = ['Cache-Control', 'public, max-age=300'] as const

export function documentRoutes(options: DocumentsOptions): Route[] {
  const { publicUrl, basePath } = options
  const specification: HttpReply = {
    status: 200,
    headers: [['Content-Type', 'application/json; charset=utf-8'], CACHE],
    body: Buffer.from(JSON.stringify(openApi(options.operations, options))),
  }
  const reference: HttpReply = {
    status: 200,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'], CACHE,
      ['Content-Security-Policy', DOCS_POLICY], ['Referrer-Policy', 'no-referrer'],
    ],
    body: Buffer.from(docsPage({ ...options, tiers: readTiers() })),
  }
  const index = success(jsonBytes({
    name: 'agentmall',
    version: options.version,
    description: 'A commerce service for AI agents: goods search, ordering, fulfilment and '
      + 'after-sales, over REST and MCP.',
    rest_url: `${publicUrl}${basePath}`,
    mcp_url: `${publicUrl}/mcp`,
    openapi_url: `${publicUrl}/openapi.json`,
    docs_url: `${publicUrl}/docs`,
    plugin_url: `${publicUrl}/plugin`,
  }), null, [['Vary', 'Accept']], false)
  const toReference: HttpReply = {
    status: 302,
    headers: [['Location', 'docs'], ['Vary', 'Accept'], ['Cache-Control', 'no-store']],
  }
  /** People land on the page; programs get addresses. */
  const welcome: Handler = (request) => (isBrowser(request) ? toReference : index)
  return [
    { method: 'GET', pattern: '/openapi.json', handler: () => specification },
    { method: 'GET', pattern: `${basePath}/openapi.json`, handler: () => specification },
    { method: 'GET', pattern: '/docs', handler: () => reference },
    { method: 'GET', pattern: '/', handler: welcome },
    { method: 'GET', pattern: basePath, handler: welcome },
    ...pluginRoutes(options),
  ]
}
