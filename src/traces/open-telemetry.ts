/**
 * Spans of a request, its operation, and what that asks of Redis and of platforms. They name
 * patterns, operations and commands: no path, argument, key or text of anybody's.
 */
import {
  context, propagation, SpanKind, SpanStatusCode, trace, type Context, type Span,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { Command } from 'ioredis'
import type { Observation } from '../../adapters/index.ts'
import { nowMs, withDeadline } from '../contract/time.ts'
import { ERRORS, Refusal } from '../contract/errors.ts'
import type { Gate, Outcome } from '../gate/gate.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { VERSION } from '../version.ts'
import type { Traces } from './traces.ts'

/** Spans that wait for the collector; more are dropped. */
const QUEUE_MAX = 4096
const SEND_MS_MAX = 3000
const SEND_EVERY_MS = 1000

/** What a caller says of the trace that its request belongs to. */
const HEADERS = {
  get: (request: HttpRequest, name: string) => request.header(name.toLowerCase()),
  keys: () => ['traceparent', 'tracestate'],
}

export function createTraces(endpoint: string): Traces {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`, timeoutMillis: SEND_MS_MAX,
  })
  const provider = new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(exporter, {
      maxQueueSize: QUEUE_MAX, scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: SEND_MS_MAX,
    })],
  })
  provider.register()
  const tracer = provider.getTracer('agentmall', VERSION)
  return {
    routes: (routes) => routes.map((route) => traceRoute(tracer, route)),
    gate: (gate) => traceGate(tracer, gate),
    durable: (durable) => traceDurable(tracer, durable),
    redis(client, role) { traceCommands(tracer, client, role) },
    mallCall(seen) { traceMallCall(tracer, seen) },
    async close() {
      // A collector that is down must not hold up the node's end.
      await withDeadline(provider.shutdown(), SEND_MS_MAX, () => new Error('late')).catch(() => {})
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

function traceRoute(tracer: Tracer, route: Route): Route {
  const { method, pattern, handler } = route
  return {
    ...route,
    handler(request): MaybePromise<HttpReply> {
      const from = propagation.extract(context.active(), request, HEADERS)
      const span = tracer.startSpan(`${method} ${pattern}`, {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': method, 'http.route': pattern, 'request.id': request.id,
        },
      }, from)
      return within(span, from, () => handler(request), ({ status }) => {
        span.setAttribute('http.response.status_code', status)
        if (status >= 500) failed(span, String(status))
      })
    },
  }
}

const traceGate = (tracer: Tracer, gate: Gate): Gate => ({
  admit: gate.admit,
  run(operation, ...given) {
    const from = context.active()
    const span = tracer.startSpan(operation.name, {}, from)
    return within<Outcome>(span, from, () => gate.run(operation, ...given), (outcome) => {
      const name = outcome.ok ? 'ok' : outcome.refusal.error
      span.setAttribute('agentmall.outcome', name)
      if (!outcome.ok && ERRORS[outcome.refusal.error].status >= 500) failed(span, name)
    })
  },
})

function traceDurable(tracer: Tracer, durable: Durable): Durable {
  /** Calls go in groups, so the span is of one call's wait, not of the command. */
  function written<R>(name: string, work: () => Promise<R>): Promise<R> {
    const from = context.active()
    if (!trace.getSpan(from)) return work()
    const span = tracer.startSpan(`ledger write ${name}`, { kind: SpanKind.CLIENT }, from)
    return within(span, from, work, () => {}) as Promise<R>
  }
  return {
    ...durable,
    run: (script, ...given) => written(script.name, () => durable.run(script, ...given)),
    send: (...command) => written(command[0], () => durable.send(...command)),
  }
}

/** Those of requests; what nodes do by themselves is no part of anybody's trace. */
function traceCommands(tracer: Tracer, client: RedisClient, role: string): void {
  const send = client.sendCommand.bind(client) as (...given: unknown[]) => unknown
  client.sendCommand = ((command: Command, ...given: unknown[]) => {
    const span = trace.getActiveSpan() && tracer.startSpan(`${role} ${command.name}`, {
      kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'redis' },
    })
    const reply = send(command, ...given)
    if (span) {
      command.promise.then(() => span.end(), () => {
        failed(span, 'redis')
        span.end()
      })
    }
    return reply
  }) as typeof client.sendCommand
}

function traceMallCall(
  tracer: Tracer, { source, operation, outcome, ms, attempt }: Observation,
): void {
  if (!trace.getActiveSpan()) return
  const span = tracer.startSpan(`${source} ${operation}`, {
    kind: SpanKind.CLIENT, startTime: nowMs() - ms,
    attributes: { 'agentmall.outcome': outcome, 'agentmall.attempt': attempt },
  })
  if (outcome !== 'ok') failed(span, outcome)
  span.end()
}

/** The span is the work's parent of all that the work starts. */
function within<T>(
  span: Span, from: Context, work: () => MaybePromise<T>, done: (value: T) => void,
) {
  const end = (value: T): T => {
    done(value)
    span.end()
    return value
  }
  const fail = (error: unknown): never => {
    failed(span, error instanceof Refusal ? error.error : 'internal')
    span.end()
    throw error
  }
  try {
    const value = context.with(trace.setSpan(from, span), work)
    return value instanceof Promise ? value.then(end, fail) : end(value)
  } catch (error) {
    return fail(error)
  }
}

/** The name of an error of ours; what others say is not passed on. */
const failed = (span: Span, name: string): void => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: name })
}
