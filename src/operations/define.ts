/** Declares an operation on the services of a node. */
import type { TObject, TSchema } from 'typebox'
import type { Access } from '../contract/caller.ts'
import type { Operation, PathIsInput, Route } from '../contract/operation.ts'
import type { Services } from '../services.ts'

/** Ties the types together. */
export function defineOperation<
  I extends TObject, O extends TSchema, const R extends Route, const A extends Access,
>(operation: Operation<I, O, R, A, Services> & PathIsInput<R, I>): Operation<I, O, R, A, Services> {
  return operation
}
