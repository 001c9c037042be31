/** The one pipeline: caller → rate → access → validate → handle. REST and MCP are its faces. */
import type { Accounts } from '../accounts/keys.ts'
import { errorData, Refusal, type ErrorData } from '../contract/errors.ts'
import { JsonText } from '../contract/json.ts'
import { andThen, type Maybe } from '../contract/maybe.ts'
import { measures } from '../measures.ts'
import type { Operation } from '../contract/operation.ts'
import type { Caller, Client, Visitor } from '../contract/caller.ts'
import type { Logger } from '../log.ts'
import { isAway } from '../redis/verdict.ts'
import { createEntrance } from './entrance.ts'
import type { Headers, Limits } from '../limits/limits.ts'
import { RefusalPace } from './refusal-pace.ts'
import { tierOf } from '../limits/tiers.ts'
import { assertValid, withoutBlanks } from '../validate.ts'

export type Outcome =
  | { readonly ok: true, readonly data: JsonText, readonly duplicate: boolean }
  | { readonly ok: false, readonly refusal: Refusal, readonly data: ErrorData }

export interface Entrance {
  readonly caller: Caller
  readonly headers: Headers
  /** Set when the call goes no further; the caller of a refused key is not known. */
  readonly refusal?: Refusal
}

export interface Credentials {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly client: Client
}

export interface Gate {
  /** Finds the caller and takes a token of its bucket. Never throws a Refusal. */
  enter(credentials: Credentials): Maybe<Entrance>
  /** Access, validation and the operation itself. Never throws. */
  run(operation: Operation, input: unknown, caller: Caller, requestId: string): Maybe<Outcome>
}

/** What the gate itself needs of the services; it hands all of them to the operation. */
export interface GateServices {
  readonly accounts: Accounts
  readonly log: Logger
}

export function createGate(services: GateServices, limits: Limits): Gate {
  const enter = createEntrance({
    accounts: services.accounts, limits, toRefusal: (error) => toRefusal(error, services),
  })
  const pace = new RefusalPace()
  return {
    enter: (credentials) => andThen(enter(credentials), (entrance) => {
      countLimited(entrance)
      const { caller: { agent, tier }, refusal } = entrance
      // A tier without caps was granted by name: who has it does not flood.
      const isPaced = refusal?.error === 'rate_limited'
        && tierOf(limits.tiers, agent, tier)[1].orders !== undefined
      return isPaced
        ? andThen(pace.wait(credentials.client.address), () => entrance) : entrance
    }),

    run(operation, given, caller, requestId) {
      try {
        const closed = accessRefusal(operation, caller)
        if (closed) throw closed
        const input = withoutBlanks(operation.input, withNormalKey(given))
        assertValid(operation.input, input)
        if (!operation.handle) throw new Refusal('not_configured')
        const call = { caller: caller as never, requestId, services }
        const data = operation.handle(input as never, call)
        return data instanceof Promise
          ? data.then(succeeded, (error: unknown) => failed(error, call, operation))
          : succeeded(data)
      } catch (error) {
        return failed(error, { requestId, services }, operation)
      }
    },
  }
}

/** Why an operation is not open to a caller, whatever the input: known before a body is read. */
export function accessRefusal(
  { access, effect }: Pick<Operation, 'access' | 'effect'>, caller: Caller,
): Refusal | undefined {
  if (access === 'key' && caller.agent === null) return new Refusal('key_required')
  if (access === 'owner' && !(caller as Visitor).session) return new Refusal('sign_in_required')
  return caller.limits?.read_only && effect !== 'read' ? readOnly() : undefined
}

const readOnly = (): Refusal => new Refusal('key_not_allowed', {
  hint: 'The owner of this agent allows it to read only: ask them, or use another key.',
})

function failed(
  error: unknown, { requestId, services }: { requestId: string, services: GateServices },
  operation: Operation,
): Outcome {
  const refusal = toRefusal(error, services, { operation: operation.name, requestId })
  countLimited({ refusal })
  return { ok: false, refusal, data: errorData(refusal, requestId) }
}

/** One place counts what was refused by a limit, for the metrics: policies are ours, and few. */
export function countLimited<T extends Pick<Entrance, 'refusal'>>(entrance: T): T {
  const policy = entrance.refusal?.detail['policy']
  if (typeof policy === 'string') measures.limited.add(policy)
  return entrance
}

function succeeded(data: unknown): Outcome {
  if (data instanceof JsonText) return { ok: true, data, duplicate: false }
  const { duplicate } = data as { duplicate?: unknown }
  return { ok: true, data: new JsonText(JSON.stringify(data)), duplicate: duplicate === true }
}

/** An idempotency key may come quoted and in capitals: it is the same key. */
function withNormalKey(input: unknown): unknown {
  const key = (input as { idempotency_key?: unknown } | null)?.idempotency_key
  if (typeof key !== 'string') return input
  const bare = (/^"(.*)"$/.exec(key.trim())?.[1] ?? key.trim()).replace(/^urn:uuid:/i, '')
  return { ...(input as object), idempotency_key: bare.toLowerCase() }
}

function toRefusal(
  error: unknown, { log }: Pick<GateServices, 'log'>, context: object = {},
): Refusal {
  if (error instanceof Refusal) return error
  const failure = error instanceof Error ? error : new Error(String(error))
  if (isAway(error)) {
    log.warn({ ...context, error: failure.message }, 'Redis cannot be used')
    return new Refusal('unavailable', {}, error)
  }
  log.error({ ...context, error: failure.message, stack: failure.stack }, 'unexpected failure')
  return new Refusal('internal', {}, error)
}
