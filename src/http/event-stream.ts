/** The feed of list_events as server-sent events, for whoever accepts them. */
import type { AgentCaller } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import { eventOf } from '../events/describe.ts'
import { type FollowedBatch, followEvents, passEntry } from '../events/follow-events.ts'
import { feedCursorOf, LATEST, latestPositions, positionsOf } from '../events/list-events.ts'
import { assertEventPatterns, matchesTypes } from '../events/catalogue.ts'
import { credentialOf } from '../gate/authenticate.ts'
import { accessRefusal, type Gate } from '../gate/gate.ts'
import type { NodeOperation } from '../operations/define.ts'
import type { Services } from '../services.ts'
import { assertValid } from '../validate.ts'
import { errorReply } from './envelope.ts'
import { readQuery } from './rest.ts'

/** What a client waits before it reconnects. */
const RETRY_MS = 1000

interface FeedQuery {
  readonly after?: string
  readonly types?: string
}

/** Clients of MCP send both for everything they ask. */
const isStreamOnly = (accept: string): boolean => /\btext\/event-stream\b/i.test(accept)
  && !/\bapplication\/json\b/i.test(accept)

/** Answers as `json` does, but for whoever accepts only server-sent events. */
export function eventStreamHandler(
  operation: NodeOperation, services: Services, gate: Gate, json: Handler,
): Handler {
  return async (request) => {
    if (!isStreamOnly(request.header('accept') ?? '')) return await json(request)
    const admission = await gate.admit({
      authorization: request.header('authorization'), apiKey: request.header('x-api-key'),
      client: request,
    })
    const { caller, headers, refusal } = admission
    request.limits = headers
    request.note({ operation: operation.name, agent: caller.agent })
    try {
      const closed = refusal ?? accessRefusal(operation, caller)
      if (closed) throw closed
      const query = readQuery(operation.input, request.query, {})
      assertValid(operation.input, query, operation.name)
      const reply = await open(services, request, caller as AgentCaller, query)
      return { ...reply, headers: [...reply.headers ?? [], ...headers] }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      request.note({ error: error.error })
      return errorReply(error, request.id, headers)
    }
  }
}

async function open(
  services: Services, request: HttpRequest, caller: AgentCaller, { after, types }: FeedQuery,
): Promise<HttpReply> {
  const { ledger, events, apiKeys } = services
  const patterns = types?.split(',') ?? ['*']
  assertEventPatterns(patterns, 'types')
  const audience = events.audienceOf(caller)
  const from = request.header('last-event-id') ?? after
  const positions = from === undefined ? new Map<string, string>()
    : from === LATEST ? await latestPositions({ ledger }, audience) : positionsOf(from)
  const key = credentialOf(request.header('authorization'), request.header('x-api-key')) ?? ''
  const batches = followEvents({
    ledger, audience, positions, recent: 0, signal: request.signal,
    // A key that was revoked meanwhile ends the stream.
    mayRead: async () => await apiKeys.lookup(key) !== undefined,
  })
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/event-stream; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      // Proxies that buffer answers would hold back every event.
      ['X-Accel-Buffering', 'no'],
    ],
    stream: events.followers.hold(request, caller.agent,
      textsOf(batches, patterns)),
    isEndless: true,
  }
}

async function* textsOf(
  batches: AsyncIterable<FollowedBatch>, types: readonly string[],
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const { entries, positions, isTrimmed } of batches) {
    const lines = isTrimmed ? [`event: trimmed\nid: ${feedCursorOf(positions)}\ndata: {}\n\n`] : []
    for (const entry of entries) {
      passEntry(positions, entry)
      const event = eventOf(entry)
      if (!event || !matchesTypes(types, event.type)) continue
      lines.push(`event: ${event.type}\nid: ${feedCursorOf(positions)}\n`
        + `data: ${JSON.stringify(event)}\n\n`)
    }
    // A comment now and then keeps proxies from closing the connection as idle.
    yield lines.length > 0 ? lines.join('') : ':\n\n'
  }
}
