/** What this business publishes of its capability of returns: the schema, and how it is used. */
import type { Route } from '../../contract/http.ts'
import {
  RETURNS, RETURNS_SCHEMA_PATH, RETURNS_SCHEMA_URL, RETURNS_SPEC_PATH, UCP_CAPABILITIES,
} from '../capabilities.ts'
import {
  CancelReturnInput, PreviewOutput, RequestedOutput, ReturnInput, ReturnsOutput,
} from './fields.ts'
import { returnOperations } from './operations.ts'

const AGE_S = 3600

export const RETURNS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: RETURNS_SCHEMA_URL,
  name: RETURNS,
  version: UCP_CAPABILITIES.find(({ name }) => name === RETURNS)?.version,
  title: 'Returns',
  description: 'Returns and refunds of lines of an order, as the buyer asks for them.',
  ...ReturnsOutput,
  $defs: {
    request: ReturnInput, requested: RequestedOutput, preview: PreviewOutput,
    cancel_request: CancelReturnInput,
  },
}

const SCHEMAS: Readonly<Record<string, string>> = {
  preview_return: '`$defs/request` → `$defs/preview`',
  request_return: '`$defs/request` → `$defs/requested`',
  list_returns: '→ the root of the schema',
  cancel_return: '`$defs/cancel_request` → `$defs/requested`',
}

const SPECIFICATION = `# Returns

Capability \`${RETURNS}\`, schema <${RETURNS_SCHEMA_URL}>.

An order's lines are returned or refunded one at a time, each as a whole. A line has one open
request at most. Amounts are positive integers in minor units.

| tool | REST | schema |
|---|---|---|
${returnOperations.map(({ name, route }) =>
  `| \`${name}\` | \`${route.replace(':id', '{id}')}\` | ${SCHEMAS[name]} |`).join('\n')}

\`id\` is the order's. Over MCP the payload is the argument \`return\`. A preview files nothing:
show its refund and who pays the way back before you request. A request with the idempotency key
of an earlier one is that one. What is not possible is answered with \`ucp.status\` \`error\`
and a message that says why. The order's \`adjustments\` have each return, too.
`

export const returnsDocumentRoutes = (): Route[] => [
  documentRoute(RETURNS_SCHEMA_PATH, 'application/schema+json', JSON.stringify(RETURNS_SCHEMA)),
  documentRoute(RETURNS_SPEC_PATH, 'text/markdown; charset=utf-8', SPECIFICATION),
]

function documentRoute(pattern: string, type: string, text: string): Route {
  const body = Buffer.from(text)
  return {
    method: 'GET',
    pattern,
    handler: () => ({
      status: 200,
      headers: [['Content-Type', type], ['Cache-Control', `public, max-age=${AGE_S}`]],
      body,
    }),
  }
}
