/** docs/console-api.md, from the console's operation table. */
import type { OperationSpec } from '../contract/operation.ts'
import { rowsOf, type Row } from '../http/reference/model.ts'
import { consoleOperations } from './operations/index.ts'
import { CONSOLE_API } from './routes.ts'

const HEAD = `# The console's API

<!-- Written by \`npm run docs\` from src/console/operations: do not edit. -->

What the console's page calls, for whoever wants to call it from elsewhere. Answers have the
envelope of every REST answer, errors are those of [errors.md](errors.md), money is in fen.

- **Session**: \`POST ${CONSOLE_API}/session\` sets a cookie (HttpOnly, SameSite=Strict, for
  \`/console\` alone) and gives \`csrf_token\`. Every call but GET carries it as
  \`X-CSRF-Token\`, and an \`Origin\` that is there must be the node's own.
- **Rate**: 10 calls a second and account, 60 at once; without a session by address. Trying
  passwords, registrations and binding codes is limited further ([security.md](security.md)).
- **Live**: \`GET ${CONSOLE_API}/live\` follows the account as server-sent events: \`click\`,
  \`order\`, \`mall_order\`, \`commission\`, \`withdrawal\`. The first are what happened last, up
  to \`ready\`. A browser that comes back to any node sends Last-Event-ID and misses nothing;
  \`reset\` says that something was kept no longer: read totals anew. Ten followers an account
  and node, 500 a node.
- **Tools**: what \`/v1\` and \`/mcp\` answer, \`${CONSOLE_API}/tools/v1\` and
  \`${CONSOLE_API}/tools/mcp\` answer too, for an agent of the account that \`X-Agent\` names:
  the session signs instead of a key. Every call carries \`X-CSRF-Token\`, also one that only
  reads; the agent's limits and rate hold as with its key.
- **Files**: \`GET ${CONSOLE_API}/statements/2026-11\` is the month as CSV, in yuan and with each
  entry's agent. \`GET ${CONSOLE_API}/files/orders\` and \`…/files/purchases\` take the query of
  their lists and give what matches among the first 10,000, newest first or with \`sort=oldest\`
  oldest. Two files an account at once, 20 a node.

`

const fieldLine = ({ path, type, isRequired, bounds, description }: Row): string =>
  `| \`${path}\` | ${[type, bounds].filter(Boolean).join(', ')}${isRequired ? '' : ', optional'}`
    + ` | ${description} |`

const table = (title: string, rows: readonly Row[]): string[] => (rows.length === 0 ? [] : [
  '', `| ${title} | | |`, '|---|---|---|', ...rows.map(fieldLine),
])

function section(
  { route, title, description, access, input, output, fails }: OperationSpec,
): string {
  const [method = '', path = ''] = route.split(' ')
  return [
    `## ${method} ${CONSOLE_API}${path}`, '',
    `**${title}**${access === 'owner' ? '' : ' (without a session)'}. ${description}`,
    ...table('input', rowsOf(input)), ...table('data', rowsOf(output)),
    ...(fails.length > 0
      ? ['', `May refuse with ${fails.map((name) => `\`${name}\``).join(', ')}.`] : []),
    '',
  ].join('\n')
}

export const consoleMarkdown = (): string => HEAD + consoleOperations.map(section).join('\n')
