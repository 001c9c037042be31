import type { Static, TObject, TSchema } from 'typebox'
import type { OwnerLimits } from '../accounts/owner-limits.ts'
import type { Session } from '../accounts/sessions.ts'
import type { ErrorName } from './errors.ts'
import type { JsonText } from './json.ts'
import type { Maybe } from './maybe.ts'
import type { Services } from '../services.ts'

/** Who calls: an agent by its key, or an address without one. */
export interface Caller {
  /** Public id of the agent; null without a key. */
  readonly agent: string | null
  readonly account: string | null
  readonly tier: string
  /** What the owner of the agent lets it do; absent means everything. */
  readonly limits?: OwnerLimits
  readonly client: Client
}

/** Where a call comes from. */
export interface Client {
  /**
   * As text; empty where it is first asked for after the client has gone. Not free: a call to
   * the system. The limiter groups IPv6 by /64.
   */
  readonly address: string
}

export interface AgentCaller extends Caller {
  readonly agent: string
  readonly account: string
}

/** A browser at the console. */
export interface Visitor extends Caller {
  readonly session: Session | undefined
  /** What the browser kept from an earlier sign-in; unchecked. */
  readonly device: string | undefined
  /**
   * The answer gives the browser this session, and what it keeps of its sign-in; without a session
   * it takes the present one away.
   */
  keepSession(session?: Session, device?: string): void
}

/** Somebody who signed in. */
export interface Owner extends Visitor {
  readonly account: string
  readonly session: Session
}

export interface Call<C extends Caller = Caller> {
  readonly caller: C
  readonly requestId: string
  readonly services: Services
}

/** Callers by the access that an operation asks for; those of the console come as browsers. */
export interface CallerOf {
  readonly anyone: Caller
  readonly key: AgentCaller
  readonly visitor: Visitor
  readonly owner: Owner
}

export type Access = keyof CallerOf

/** One word, from which the MCP hints and the need for a write-capable key derive. */
export type Effect = 'read' | 'create' | 'update'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

type PathParams<R extends string> =
  R extends `${string}:${infer P}/${infer Rest}` ? P | PathParams<`/${Rest}`>
    : R extends `${string}:${infer P}` ? P : never

export interface Operation<
  I extends TObject = TObject, O extends TSchema = TSchema, R extends Route = Route,
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
  /** Absent where a later release brings it: the table answers `not_configured`. */
  handle?(
    input: Static<I>, call: Call<CallerOf[A]>,
  ): Maybe<Static<O> | JsonText>
}

/** Ties the types together; a path parameter that `input` lacks does not compile. */
export function defineOperation<
  I extends TObject, O extends TSchema, const R extends Route, const A extends Access,
>(operation: Operation<I, O, R, A> & PathIsInput<R, I>): Operation<I, O, R, A> {
  return operation
}

type PathIsInput<R extends string, I extends TObject> =
  Exclude<PathParams<R>, keyof I['properties']> extends never ? unknown
    : { route: `path parameter missing in input: ${Exclude<PathParams<R>, keyof I['properties']>}` }

/** `Type.Object` options: every input and output says all it has. */
export const CLOSED = { additionalProperties: false } as const
