/** Facts about the service that the page needs before a sign-in. */
import { Type } from 'typebox'
import { CATEGORIES } from '../../goods/categories.ts'
import { BASE_PATH } from '../../http/rest.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { EVENT_NAMES } from '../../events/catalogue.ts'
import { defineOperation } from '../../operations/define.ts'
import { CLOSED, OneOf, Text } from '../../contract/fields.ts'
import { operations } from '../../operations/index.ts'
import { hostsOf, KEY_VARIABLE } from '../../plugin/hosts.ts'
import { NoInput } from './fields.ts'

const Anything = Type.Record(Type.String(), Type.Unknown())

const Tool = Type.Object({
  name: Text(64),
  title: Text(100),
  description: Text(2000),
  access: OneOf(['anyone', 'key']),
  effect: OneOf(['read', 'create', 'update']),
  method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: Text(200, 'With its parameters as :name'),
  input: { ...Anything, description: 'JSON Schema' },
  example: Anything,
}, CLOSED)

const Host = Type.Object({
  name: Text(40),
  file: Text(100),
  language: OneOf(['json', 'toml', 'sh']),
  text: Text(4000),
}, CLOSED)

const toolOf = (
  { route, name, title, description, access, effect, input, example }: OperationSpec,
) => {
  const [method, path] = route.split(' ') as [string, string]
  return {
    name, title, description, access, effect, method, path: BASE_PATH + path, input, example,
  }
}

const TOOLS = operations.filter(({ tool }) => tool !== false).map(toolOf)

export const getService = defineOperation({
  name: 'get_service',
  title: 'The service and its tools',
  description: 'The addresses that agents use, the categories of goods, and every tool with its '
    + 'JSON Schema and an example.',
  access: 'visitor',
  effect: 'read',
  route: 'GET /operations',
  input: NoInput,
  output: Type.Object({
    public_url: Text(2048),
    sandbox: Type.Boolean({ description: 'Whether orders can be moved by hand' }),
    mails: OneOf(['sent', 'kept'],
      'kept: files in the data folder of the service, which has no mail server'),
    categories: Type.Array(Type.Object({
      category_id: Type.Integer({ minimum: 1 }), zh: Text(40), en: Text(60),
    }, CLOSED)),
    tools: Type.Array(Tool),
    events: Type.Array(Text(60), { description: 'Names of the events that webhooks are sent' }),
    key_variable: Text(40, 'Where the hosts read the key from'),
    hosts: Type.Array(Host, { description: 'How MCP hosts are told of the service' }),
  }, CLOSED),
  fails: [],
  example: {},
  handle(_, { services: { config } }) {
    return {
      public_url: config.publicUrl,
      sandbox: config.sandbox,
      mails: config.smtpUrl ? 'sent' : 'kept',
      categories: CATEGORIES.map(([category_id, zh, en]) => ({ category_id, zh, en })),
      tools: TOOLS,
      events: EVENT_NAMES,
      key_variable: KEY_VARIABLE,
      hosts: hostsOf(`${config.publicUrl}/mcp`),
    } as never
  },
})
