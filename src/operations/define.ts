/** Declares an operation on the services of a node, and reads declarations. */
import type { TObject, TSchema } from 'typebox'
import type { Access } from '../contract/caller.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { Operation, OperationSpec, PathIsInput, RoutePath } from '../contract/operation.ts'
import type { Services } from '../services.ts'

/** Errors of every operation. */
const COMMON_ERRORS: readonly ErrorName[] = [
  'invalid_request', 'key_invalid', 'rate_limited', 'internal', 'unavailable',
]

/** An operation on the services of a node. */
export type NodeOperation = Operation<Services>

/** Ties the types together. */
export function defineOperation<
  I extends TObject, O extends TSchema, const R extends RoutePath, const A extends Access,
>(operation: Operation<Services, I, O, R, A> & PathIsInput<R, I>): Operation<Services, I, O, R, A> {
  return operation
}

/** Every error that an operation can answer with: the documents and tests list these. */
export function errorsOf(operation: OperationSpec): ErrorName[] {
  const names = new Set<ErrorName>([...COMMON_ERRORS, ...operation.fails])
  if (operation.access === 'key') names.add('key_required')
  if (operation.access === 'owner') names.add('sign_in_required')
  if (!operation.route.startsWith('GET ')) {
    names.add('too_large')
    names.add('unsupported_media_type')
  }
  if ('idempotency_key' in operation.input.properties) names.add('idempotency_key_required')
  return [...names]
}

export const isRequired = (operation: OperationSpec, field: string): boolean =>
  (operation.input.required as string[] | undefined)?.includes(field) ?? false
