/**
 * Declares an operation of UCP once for REST and MCP. Bound to a node it is an operation like ours:
 * its input is what MCP sends, `{meta, id, <payload>}`, and REST makes the same of header, path and
 * body. Who calls, limits and validation are the gate's; what comes before the handler here is the
 * platform's profile.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Access, CallerOf } from '../contract/caller.ts'
import { type ErrorName, Refusal } from '../contract/errors.ts'
import { JsonText } from '../contract/json.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Call, Effect, RoutePath } from '../contract/operation.ts'
import { Optional } from '../contract/fields.ts'
import type { NodeOperation } from '../operations/define.ts'
import type { Services } from '../services.ts'
import { CHECKOUT, UCP_VERSION } from './capabilities.ts'
import { type Active, negotiate, relevantTo } from './negotiate.ts'
import type { PlatformProfile, Platforms } from './platform.ts'
import { PAYMENT_HANDLERS } from './profile.ts'

const Meta = Type.Object({
  'ucp-agent': Optional(Type.Object({
    profile: Optional(Type.String({ maxLength: 2048, description: 'Address of your profile' })),
  })),
  'idempotency-key': Optional(Type.String({ maxLength: 64, description: 'A UUID' })),
}, { description: 'Who calls: your platform profile' })

export interface UcpGiven<P> {
  readonly payload: P
  readonly id: string
  /** Lower case; undefined where the platform sent none. */
  readonly key: string | undefined
  readonly active: Active
  readonly profile: PlatformProfile
}

export type PayloadName = 'catalog' | 'cart' | 'checkout' | 'return'

export interface UcpOperation<
  P extends TSchema = TSchema, A extends Access = Access,
  R extends RoutePath = RoutePath,
> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly capability: string
  readonly access: A
  readonly effect: Effect
  /** Below the endpoint; `:id` is the argument `id`. */
  readonly route: R
  /** Of a success over REST. */
  readonly status?: 201
  /** The argument that REST sends as the body; absent where there is none. */
  readonly payload?: { readonly name: PayloadName, readonly schema: P }
  readonly output: TObject
  readonly fails: readonly ErrorName[]
  readonly example: object
  /** The answer without its `ucp`. */
  handle(
    given: UcpGiven<Static<P>>, call: Call<CallerOf[A], Services>,
  ): MaybePromise<object | JsonText>
}

export const defineUcp = <P extends TSchema, A extends Access, R extends RoutePath>(
  operation: UcpOperation<P, A, R>,
): UcpOperation<P, A, R> => operation

const KEY = /^[0-9a-z_-]{1,64}$/

/** The key that a caller gave for an action, in the form that ours have. */
export function idempotencyKeyOf({ key }: Pick<UcpGiven<unknown>, 'key'>): string | undefined {
  if (key === undefined || KEY.test(key)) return key
  throw new Refusal('invalid_request', {
    fields: [{ path: 'meta.idempotency-key', problem: 'must be a UUID' }],
  })
}

/** What a handler of the gate gets. */
interface Arguments extends Partial<Record<PayloadName, unknown>> {
  readonly meta?: Static<typeof Meta>
  readonly id?: string
}

/** An operation that a node can run, and where REST finds what MCP has in its arguments. */
export interface BoundOperation extends NodeOperation {
  readonly declared: UcpOperation
}

const SESSION_ID_LENGTH_MAX = 64

export function bindOperation(operation: UcpOperation, platforms: Platforms): BoundOperation {
  const { name, title, description, access, effect, route, output, fails, payload } = operation
  const takesId = route.includes(':id')
  return {
    declared: operation,
    name, title, description, access, effect, output, fails, route,
    input: Type.Object({
      meta: Optional(Meta),
      ...(takesId && { id: Type.String({ minLength: 1, maxLength: SESSION_ID_LENGTH_MAX }) }),
      ...(payload && { [payload.name]: payload.schema }),
    }),
    example: operation.example as never,
    handle(input, call) {
      const given = input as Arguments
      return chain(platforms.profile(given.meta?.['ucp-agent']?.profile), (profile) => {
        const active = activeFor(profile, operation.capability)
        return chain(operation.handle({
          payload: payload && given[payload.name] as never, id: given.id ?? '', active, profile,
          key: given.meta?.['idempotency-key']?.toLowerCase(),
        }, call as never), (body) => withEnvelope(operation.capability, active, body))
      })
    },
  }
}

const OPEN = Buffer.from('{')
const COMMA = Buffer.from(',')

/** A profile is the same object for as long as it is kept. */
const negotiated = new WeakMap<PlatformProfile, Active>()

/** Refuses a platform that lacks the capability. */
function activeFor(profile: PlatformProfile, capability: string): Active {
  let active = negotiated.get(profile)
  if (!active) negotiated.set(profile, active = negotiate(profile))
  if (active.has(capability)) return active
  throw new Refusal('not_found', {
    reason: 'capabilities_incompatible',
    hint: `The platform profile lacks ${capability} in the version spoken here.`,
  })
}

/** By root and capabilities: there are as many as combinations that platforms declare. */
const heads = new Map<string, Buffer>()
const HEADS_MAX = 64
const headsOf = new WeakMap<Active, Map<string, Buffer>>()

function headOf(root: string, active: Active): Buffer {
  let known = headsOf.get(active)
  if (!known) headsOf.set(active, known = new Map())
  let head = known.get(root)
  if (!head) known.set(root, head = makeHead(root, active))
  return head
}

function makeHead(root: string, active: Active): Buffer {
  const name = `${root} ${[...active].join(' ')}`
  const known = heads.get(name)
  if (known) return known
  const ucp = {
    version: UCP_VERSION,
    status: 'success',
    capabilities: relevantTo(root, active),
    ...(root === CHECKOUT && { payment_handlers: PAYMENT_HANDLERS }),
  }
  const head = Buffer.from(`"ucp":${JSON.stringify(ucp)}`)
  if (heads.size < HEADS_MAX) heads.set(name, head)
  return head
}

/** The last envelope of a text that is answered again and again. */
const enveloped = new WeakMap<JsonText, { head: Buffer, text: JsonText }>()

export function withEnvelope(root: string, active: Active, body: object | JsonText): JsonText {
  const head = headOf(root, active)
  if (!(body instanceof JsonText)) return spliced(head, [Buffer.from(JSON.stringify(body))])
  const known = enveloped.get(body)
  if (known?.head === head) return known.text
  const text = spliced(head, body.chunks)
  if (body.chunks.length === 1) enveloped.set(body, { head, text })
  return text
}

/** An answer has at least one member of its own; what it is made of is not copied. */
const spliced = (head: Buffer, [first, ...rest]: JsonText['chunks']): JsonText =>
  new JsonText([OPEN, head, COMMA, first.subarray(1), ...rest])
