import type { ErrorName } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'

/** What any call can meet, whatever the operation. */
const EVERY: readonly ErrorName[] = [
  'invalid_request', 'key_invalid', 'rate_limited', 'internal', 'unavailable',
]

/** Every error that an operation can answer with: the documents and tests list these. */
export function errorsOf(operation: Operation): ErrorName[] {
  const names = new Set<ErrorName>([...EVERY, ...operation.fails])
  if (operation.access === 'key') names.add('key_required')
  if (operation.access === 'owner') names.add('sign_in_required')
  if (!operation.route.startsWith('GET ')) {
    names.add('too_large')
    names.add('unsupported_media_type')
  }
  if ('idempotency_key' in operation.input.properties) names.add('idempotency_key_required')
  if (!operation.handle) names.add('not_configured')
  return [...names]
}

export const isRequired = (operation: Operation, field: string): boolean =>
  (operation.input.required as string[] | undefined)?.includes(field) ?? false
