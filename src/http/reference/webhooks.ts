/** The events as OpenAPI's `webhooks`, derived from the catalogue. */
import { Time } from '../../contract/fields.ts'
import { EVENT_TYPES, EventId, type EventType, exampleOf } from '../../events/catalogue.ts'
import { type Components, type JsonSchema, pascal } from './components.ts'

const header = (name: string, description: string, example: string): JsonSchema =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example })

/** What every message carries, for `components.parameters`. */
export const WEBHOOK_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  WebhookId: header('webhook-id', 'The event\'s id: the same at every attempt',
    'evt_3kTMd0aX9bLqv1Zr8fUoYw'),
  WebhookTimestamp: header('webhook-timestamp', 'Of the attempt, in seconds', '1772332200'),
  WebhookSignature: header('webhook-signature',
    'Standard Webhooks 1.0: v1 and the signature in base64, one by each secret',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
}

const PARAMETERS = Object.keys(WEBHOOK_PARAMETERS)
  .map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** What is sent to an endpoint of create_webhook, by the event's name. */
export function webhooksOf(components: Components): Record<string, JsonSchema> {
  const [id, timestamp] = [components.refer(EventId), components.refer(Time)]
  return Object.fromEntries(EVENT_TYPES.map((type) => [type.name, {
    post: {
      operationId: `on_${type.name.replace('.', '_')}`,
      tags: ['Webhooks'],
      summary: type.title,
      security: [],
      parameters: PARAMETERS,
      requestBody: { required: true, content: { 'application/json': {
        schema: {
          type: 'object',
          properties: {
            id, type: { type: 'string', const: type.name },
            version: { type: 'integer', const: type.version }, timestamp,
            data: dataSchema(type, components),
          },
          required: ['id', 'type', 'version', 'timestamp', 'data'],
        },
        example: exampleOf(type),
      } } },
      responses: { 200: { description: 'Any 2xx takes it.' } },
    },
  }]))
}

/** Events of a family have one payload. */
function dataSchema({ name, data }: EventType, components: Components): JsonSchema {
  const first = EVENT_TYPES.find((one) => one.data === data)?.name ?? name
  const shared = EVENT_TYPES.filter((one) => one.data === data).length > 1
  const of = shared ? first.split('.')[0] ?? first : first.replace('.', '_')
  return components.define(`${pascal(of)}EventData`, data)
}
