/**
 * The Events extension (SEP-3415): what happens to an agent, by webhook or by poll. An agent
 * follows what is its own, and needs its key for that.
 */
import { type Static, type TSchema, Type } from 'typebox'
import type { AgentCaller } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import { Nullable, Optional, Text } from '../contract/fields.ts'
import { nowMs } from '../contract/time.ts'
import { LATEST, positionsOf } from '../events/list-events.ts'
import { argumentsOf, isSought, occurrenceOf, SUBSCRIBABLE } from '../events/occurrences.ts'
import { assertTopic } from '../events/subscriptions.ts'
import { accessRefusal } from '../gate/gate.ts'
import { assertValid } from '../validate.ts'
import {
  type Answer, lister, type RpcMethod, type MethodCall, type MethodDependencies, type Params,
  stamped,
} from './methods.ts'
import {
  CALLBACK_FAILED, FORBIDDEN, INVALID_PARAMS, NOT_FOUND, RESOURCE_EXHAUSTED, type RpcError,
  UNSUPPORTED,
} from './rpc.ts'

type FollowedEvents = NonNullable<MethodDependencies['events']>

const POLL_MAX = 100
const POLL_LIMIT = 50
/** How long a client waits between polls. */
const NEXT_POLL_MS = 5000
const CURSOR_LENGTH_MAX = 6000

/** What may be left out may be null, too; what the extension gains later is ignored. */
const TOPIC = {
  name: Text(60),
  arguments: Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
}
const START = {
  cursor: Optional(Nullable(Type.String({ maxLength: CURSOR_LENGTH_MAX }))),
  maxAgeMs: Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
}
const Mode = Optional(Type.String({ maxLength: 20 }))

const PollParams = Type.Object({
  ...TOPIC, ...START,
  maxEvents: Optional(Nullable(Type.Integer({ minimum: 1 }))),
})
const SubscribeParams = Type.Object({
  ...TOPIC, ...START,
  delivery: Type.Object({ mode: Mode, url: Text(2048), secret: Text(100) }),
  ttlMs: Optional(Nullable(Type.Integer({ minimum: 0 }))),
})
const UnsubscribeParams = Type.Object({
  ...TOPIC, delivery: Type.Object({ mode: Mode, url: Text(2048) }),
})

/** `stamp` is what every result of the era has beside its content. */
export function eventMethods(
  { events }: Pick<MethodDependencies, 'events'>, stamp: object,
): [string, RpcMethod][] {
  if (!events) return []
  const results = { resultType: 'complete', ...stamp }
  const answering = (method: (params: Params, caller: AgentCaller) => Promise<object>): RpcMethod =>
    async (params, call) => {
      try {
        const result = await method(params, agentOf(call))
        return 'error' in result ? result as Answer : { result: [stamped(result, results)] }
      } catch (error) {
        return { error: errorOf(error) }
      }
    }
  return [
    ['events/list', lister(stamped({ events: descriptors() }, results))],
    ['events/poll', answering((params, caller) => poll(events, params, caller))],
    ['events/subscribe', answering((params, caller) => subscribe(events, params, caller))],
    ['events/unsubscribe', answering((params, caller) => unsubscribe(events, params, caller))],
  ]
}

const descriptors = (): object[] => [...SUBSCRIBABLE.values()].map((type) => ({
  name: type.name, description: type.title, delivery: ['webhook', 'poll'],
  inputSchema: argumentsOf(type), payloadSchema: type.data,
}))

/** Refuses whoever has no key, and those whom their owner lets only read. */
function agentOf({ caller }: MethodCall): AgentCaller {
  const refusal = accessRefusal({ access: 'key', effect: 'read' }, caller)
  if (refusal) throw refusal
  return caller as AgentCaller
}

async function poll(events: FollowedEvents, params: Params, caller: AgentCaller): Promise<object> {
  const { cursor, maxAgeMs, maxEvents, ...topic } = read(PollParams, params)
  const given = (topic.arguments ?? {}) as Record<string, string>
  const { name } = assertTopic({ name: topic.name, arguments: given })
  if (typeof cursor === 'string') positionsOf(cursor, 'cursor')
  const page = await events.list(caller, {
    after: cursor ?? LATEST, types: [name], waitMs: 0, signal: caller.client.signal,
    limit: Math.min(maxEvents ?? POLL_LIMIT, POLL_MAX),
  })
  const notBefore = typeof maxAgeMs === 'number' ? nowMs() - maxAgeMs : 0
  return {
    events: page.events.filter((event) => isSought({ arguments: given, notBefore }, event))
      .map((event) => occurrenceOf(event)),
    cursor: page.next_cursor,
    truncated: page.is_trimmed
      || page.events.some((event) => Date.parse(event.timestamp) < notBefore),
    hasMore: page.has_more,
    nextPollMs: NEXT_POLL_MS,
  }
}

async function subscribe(
  { subscriptions }: FollowedEvents, params: Params, caller: AgentCaller,
): Promise<object> {
  assertMayChange(caller)
  const { name, arguments: given, delivery, cursor, maxAgeMs, ttlMs } =
    read(SubscribeParams, params)
  const wrong = modeError(delivery.mode)
  if (wrong) return { error: wrong }
  const { url, secret } = delivery
  const granted = await subscriptions.subscribe(caller, {
    name, arguments: given ?? {}, url, secret, cursor: cursor ?? null, ttlMs,
    maxAgeMs: maxAgeMs ?? undefined, signal: caller.client.signal,
  })
  return 'failure' in granted ? {
    error: {
      code: CALLBACK_FAILED, data: { reason: granted.failure },
      message: 'The callback did not answer the challenge as it has to.',
    },
  } : granted
}

async function unsubscribe(
  { subscriptions }: FollowedEvents, params: Params, caller: AgentCaller,
): Promise<object> {
  assertMayChange(caller)
  const { name, arguments: given, delivery: { mode, url } } = read(UnsubscribeParams, params)
  const wrong = modeError(mode)
  if (wrong) return { error: wrong }
  await subscriptions.unsubscribe(caller, { name, arguments: given ?? {}, url })
  return {}
}

function assertMayChange(caller: AgentCaller): void {
  const refusal = accessRefusal({ access: 'key', effect: 'create' }, caller)
  if (refusal) throw refusal
}

function read<T extends TSchema>(schema: T, { _meta, ...params }: Params): Static<T> {
  assertValid(schema, params)
  return params as Static<T>
}

const modeError = (mode = 'webhook'): RpcError | undefined => mode === 'webhook' ? undefined : {
  code: UNSUPPORTED, message: 'delivery.mode must be webhook; to poll, call events/poll.',
  data: { feature: 'deliveryMode' },
}

/** What the extension has a code for; anything else is answered as of every method. */
function errorOf(error: unknown): RpcError {
  if (!(error instanceof Refusal)) throw error
  const { fields = [], hint: _hint, ...facts } = error.detail
  switch (error.error) {
    case 'invalid_request': return {
      code: INVALID_PARAMS, data: { fields },
      message: fields.map(({ path, problem }) => `${path || 'arguments'} ${problem}`).join('; '),
    }
    case 'not_found': return {
      code: NOT_FOUND, data: facts,
      message: facts['kind'] === 'event' ? 'There is no event of that name: see events/list.'
        : 'There is no subscription of that name, arguments and url.',
    }
    case 'key_required': return {
      code: FORBIDDEN, message: 'Events are an agent\'s own: send its key with the request.',
    }
    case 'key_not_allowed': return {
      code: FORBIDDEN, message: 'The owner of this agent allows it to read only.',
    }
    case 'webhook_limit': return {
      code: RESOURCE_EXHAUSTED, data: facts,
      message: 'The account has as many subscriptions as it may have: end one.',
    }
    default: throw error
  }
}
