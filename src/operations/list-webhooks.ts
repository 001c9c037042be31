import { Type } from 'typebox'
import { CLOSED } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { WEBHOOK_PROPERTIES } from './webhook-fields.ts'

export const listWebhooks = defineOperation({
  name: 'list_webhooks',
  title: 'List webhooks',
  description: 'The endpoints that this key made, with their state and how many deliveries wait.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'GET /webhooks',
  input: Type.Object({}, CLOSED),
  output: Type.Object({ webhooks: Type.Array(Type.Object(WEBHOOK_PROPERTIES, CLOSED)) }, CLOSED),
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    return { webhooks: await services.events.endpoints.list(caller) as never }
  },
})
