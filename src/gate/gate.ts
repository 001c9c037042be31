/** The one pipeline: caller → rate → access → validate → handle. REST and MCP are its faces. */
import { errorData, Refusal, type ErrorData } from '../contract/errors.ts'
import { JsonText } from '../contract/json.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import { measures } from '../measures.ts'
import type { OperationSpec } from '../contract/operation.ts'
import type { NodeOperation } from '../operations/define.ts'
import type { Caller, Visitor } from '../contract/caller.ts'
import { isUnavailable } from '../redis/command-errors.ts'
import { createAdmission, type Admission, type Admit } from './admission.ts'
import type { Limits } from '../limits/limits.ts'
import { RefusalPace } from '../limits/address-bucket.ts'
import { tierOf } from '../limits/tiers.ts'
import type { Services } from '../services.ts'
import { assertValid, withoutBlanks } from '../validate.ts'

export type Outcome =
  | { readonly ok: true, readonly data: JsonText, readonly duplicate: boolean }
  | { readonly ok: false, readonly refusal: Refusal, readonly data: ErrorData }

export interface Gate {
  /** Finds the caller and takes a token of its bucket. Never throws a Refusal. */
  readonly admit: Admit
  /** Access, validation and the operation itself. Never throws. */
  run(
    operation: NodeOperation, input: unknown, caller: Caller, requestId: string,
  ): MaybePromise<Outcome>
}

export function createGate(services: Services, limits: Limits): Gate {
  const admit = createAdmission({
    apiKeys: services.apiKeys, limits, toRefusal: (error) => toRefusal(error, services),
  })
  const pace = new RefusalPace()
  return {
    admit: (credentials) => chain(admit(credentials), (admission) => {
      countLimited(admission)
      const { caller: { agent, tier }, refusal } = admission
      // A tier without caps was granted by name: who has it does not flood.
      const isPaced = refusal?.error === 'rate_limited'
        && tierOf(limits.tiers, agent, tier)[1].orders !== undefined
      return isPaced
        ? chain(pace.wait(credentials.client.address), () => admission) : admission
    }),

    run(operation, given, caller, requestId) {
      try {
        const closed = accessRefusal(operation, caller)
        if (closed) throw closed
        const input = withoutBlanks(operation.input, withNormalKey(given))
        const { effect, name } = operation
        assertValid(operation.input, input, effect === 'read' ? name : undefined)
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
  { access, effect }: Pick<OperationSpec, 'access' | 'effect'>, caller: Caller,
): Refusal | undefined {
  if (access === 'key' && caller.agent === null) return new Refusal('key_required')
  if (access === 'owner' && !(caller as Visitor).session) return new Refusal('sign_in_required')
  return caller.limits?.read_only && effect !== 'read' ? readOnly() : undefined
}

const readOnly = (): Refusal => new Refusal('key_not_allowed', {
  hint: 'The owner of this agent allows it to read only: ask them, or use another key.',
})

function failed(
  error: unknown, { requestId, services }: { requestId: string, services: Services },
  operation: NodeOperation,
): Outcome {
  const refusal = toRefusal(error, services, { operation: operation.name, requestId })
  countLimited({ refusal })
  return { ok: false, refusal, data: errorData(refusal, requestId) }
}

/** One place counts what was refused by a limit, for the metrics: policies are ours, and few. */
export function countLimited<T extends Pick<Admission, 'refusal'>>(admission: T): T {
  const policy = admission.refusal?.detail['policy']
  if (typeof policy === 'string') measures.limited.add(policy)
  return admission
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
  const normal = bare.toLowerCase()
  return normal === key ? input : { ...(input as object), idempotency_key: normal }
}

function toRefusal(
  error: unknown, { log }: Pick<Services, 'log'>, context: object = {},
): Refusal {
  if (error instanceof Refusal) return error
  const failure = error instanceof Error ? error : new Error(String(error))
  if (isUnavailable(error)) {
    log.warn({ ...context, error: failure.message }, 'Redis cannot be used')
    return new Refusal('unavailable', {}, error)
  }
  log.error({ ...context, error: failure.message, stack: failure.stack }, 'unexpected failure')
  return new Refusal('internal', {}, error)
}
