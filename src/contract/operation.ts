/** What declares an operation; the routes, tools, documents and forms all derive from it. */
import type { Static, TObject, TSchema } from 'typebox'
import type { Access, Caller, CallerOf } from './caller.ts'
import type { ErrorName } from './errors.ts'
import type { Method } from './http.ts'
import type { JsonText } from './json.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** One call of an operation that works with the services `S`. */
export interface Call<C extends Caller, S> {
  readonly caller: C
  readonly requestId: string
  readonly services: S
}

/** One word, from which the MCP hints and the need for a write-capable key derive. */
export type Effect = 'read' | 'create' | 'update'

export type RoutePath = `${Method} /${string}`

type PathParams<R extends string> =
  R extends `${string}:${infer P}/${infer Rest}` ? P | PathParams<`/${Rest}`>
    : R extends `${string}:${infer P}` ? P : never

/** What an operation declares: documents, forms and clients derive from it. */
export interface OperationSpec<
  I extends TObject = TObject, O extends TSchema = TSchema, R extends RoutePath = RoutePath,
  A extends Access = Access,
> {
  /** MCP tool name, OpenAPI operationId, log and metric label, file name (with dashes). */
  readonly name: string
  readonly title: string
  /** When to use it, when not, what comes next; units. */
  readonly description: string
  readonly access: A
  readonly effect: Effect
  /** Path parameters (`:name`) are properties of `input`; GET takes the rest from the query. */
  readonly route: R
  /** False for operations that REST offers and MCP does not. */
  readonly tool?: false
  /** Whether the answer depends on platforms outside the service. */
  readonly openWorld?: true
  readonly input: I
  readonly output: O
  /** What it can refuse beyond the errors that every operation shares. */
  readonly fails: readonly ErrorName[]
  /** A valid input, used by the documents, the console and the load mix. */
  readonly example: Static<I>
}

/** An operation with its handler, which works with the services `S`. */
export interface Operation<
  S, I extends TObject = TObject, O extends TSchema = TSchema, R extends RoutePath = RoutePath,
  A extends Access = Access,
> extends OperationSpec<I, O, R, A> {
  handle(
    input: Static<I>, call: Call<CallerOf[A], S>,
  ): MaybePromise<Static<O> | JsonText>
}

/** A path parameter that `input` lacks does not compile. */
export type PathIsInput<R extends string, I extends TObject> =
  Exclude<PathParams<R>, keyof I['properties']> extends never ? unknown
    : { route: `path parameter missing in input: ${Exclude<PathParams<R>, keyof I['properties']>}` }
