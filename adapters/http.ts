/**
 * The one way out to the platforms. A call takes its turn in the gateway's call budget, waits for
 * a place (bulkhead), passes the circuit, is made, read and, if it is a read that failed in
 * passing, made again; all within one deadline. It logs nothing: addresses hold signatures, bodies
 * hold people.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  circuitBreaker, CircuitState, CountBreaker, ExponentialBackoff, handleWhen, isBrokenCircuitError,
} from 'cockatiel'
import pLimit from 'p-limit'
import { Pool } from 'undici'
import { readAnswer } from './answer.ts'
import { attempt, type OutboundRequest } from './attempt.ts'
import type { Budget } from './budget.ts'
import type { CallOptions, Health } from './contract.ts'
import { FAILURES, SourceError, type FailureKind } from './failure.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { openScope, type Scope } from './scope.ts'
import { untilChinaMidnight, type Clock } from './time.ts'

/** One operation of a dialect: how it is asked and how its answer is read. */
export interface Exchange<T> {
  /** Its name in measurements. */
  readonly operation: string
  /** Made anew for each attempt, since signatures hold the time. */
  build(): OutboundRequest
  /** The answer's text, or a SourceError that says what the platform said. */
  read(text: string): T
  /** Only what changes nothing may be asked twice. */
  readonly repeatable: boolean
}

export interface Observation {
  readonly source: string
  readonly operation: string
  readonly outcome: 'ok' | FailureKind
  readonly ms: number
  readonly attempt: number
  readonly bytes: number
}

export interface ClientOptions {
  readonly source: string
  readonly baseUrl: string
  readonly clock: Clock
  readonly budget: Budget
  readonly limits?: Partial<Limits> | undefined
  readonly observe?: ((seen: Observation) => void) | undefined
  readonly random?: (() => number) | undefined
}

export interface Client {
  call<T>(exchange: Exchange<T>, options?: CallOptions): Promise<T>
  health(): Health
  close(): Promise<void>
}

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const
const FORBIDDEN_REST_MS = 3_600_000
const STRIKES_MAX = 5

export function createClient(options: ClientOptions): Client {
  const { source, clock, budget, observe, random = Math.random } = options
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits }
  const base = new URL(options.baseUrl)
  const pool = new Pool(base.origin, {
    connections: limits.concurrency,
    connect: { timeout: limits.connectMs },
    keepAliveTimeout: limits.keepAliveMs,
    pipelining: 1,
  })
  const place = pLimit(limits.concurrency)
  const circuit = circuitBreaker(handleWhen((error) =>
    error instanceof SourceError && FAILURES[error.kind].ill), {
    breaker: new CountBreaker({
      threshold: 0.5, size: limits.breakWindow,
      minimumNumberOfCalls: Math.min(limits.breakAfter, limits.breakWindow),
    }),
    halfOpenAfter: new ExponentialBackoff({
      initialDelay: limits.breakMs, maxDelay: limits.breakMs * 8,
    }),
  })
  let strikes = 0
  /** Calls that wait for a turn. They hold no place: one that has its turn overtakes them. */
  let waiting = 0
  let skewMs: number | null = null

  const fail = (kind: FailureKind, retryAfterMs?: number): SourceError =>
    new SourceError(source, kind, retryAfterMs === undefined ? {} : { retryAfterMs })

  /** Waits for its turn when that is near; otherwise says when it will be. */
  async function takeTurn(scope: Scope, { payer, waitMs = limits.waitMs }: CallOptions) {
    for (let patience = waitMs; ;) {
      const wait = await budget.take(payer)
      if (wait <= 0) return
      if (wait > patience || (payer && waiting >= limits.queueMax)) throw fail('rate_limited', wait)
      patience -= wait
      waiting += 1
      try {
        await pause(wait, undefined, { signal: scope.signal })
      } finally {
        waiting -= 1
      }
    }
  }

  function refuseIfBusy(): void {
    const { activeCount, pendingCount } = place
    if (activeCount + pendingCount >= limits.concurrency + limits.queueMax) throw fail('busy')
  }

  async function exchangeOnce<T>(exchange: Exchange<T>, scope: Scope, nth: number): Promise<T> {
    // Whoever asked has gone: nothing is sent, and the source is not to blame.
    if (scope.signal.aborted) throw fail('aborted')
    const began = clock.now()
    let outcome: Observation['outcome'] = 'ok'
    let bytes = 0
    try {
      const request = exchange.build()
      const path = `${base.pathname === '/' && request.path ? '' : base.pathname}${request.path}`
      const answer = await attempt(source, pool, { ...request, path }, limits, scope.signal)
      bytes = answer.bytes
      if (answer.date) skewMs = Date.parse(answer.date) - clock.now()
      return readAnswer(source, exchange, answer)
    } catch (error) {
      const failure = error instanceof SourceError ? error : fail('bad_answer')
      outcome = failure.kind
      throw failure
    } finally {
      observe?.({
        source, operation: exchange.operation, outcome, attempt: nth, bytes,
        ms: clock.now() - began,
      })
    }
  }

  /** How long the gateway is to be left alone after what it said; 0 for other failures. */
  function restMs({ kind, retryAfterMs }: SourceError): number {
    if (kind === 'quota') return retryAfterMs ?? untilChinaMidnight(clock.now())
    if (kind === 'forbidden') return retryAfterMs ?? FORBIDDEN_REST_MS
    if (kind !== 'rate_limited') return 0
    strikes = Math.min(strikes + 1, STRIKES_MAX)
    return retryAfterMs ?? 500 * 2 ** strikes * (1 + random() / 2)
  }

  async function attempts<T>(
    exchange: Exchange<T>, scope: Scope, options: CallOptions,
  ): Promise<T> {
    for (let nth = 1; ; nth += 1) {
      if (scope.signal.aborted) throw fail('aborted')
      if (nth > 1) await takeTurn(scope, options)
      try {
        const result = await circuit.execute(() => exchangeOnce(exchange, scope, nth))
        strikes = 0
        return result
      } catch (error) {
        if (isBrokenCircuitError(error)) throw fail('open')
        const failure = error instanceof SourceError ? error : fail('network')
        const rest = restMs(failure)
        if (rest > 0) {
          await budget.limited(rest)
          const { kind, code } = failure
          throw new SourceError(source, kind, { retryAfterMs: rest, ...(code && { code }) })
        }
        const again = exchange.repeatable && nth <= limits.retries && FAILURES[failure.kind].retry
        if (!again) throw failure
        const wait = limits.retryMs * 2 ** (nth - 1) * (0.5 + random())
        await pause(wait, undefined, { signal: scope.signal })
      }
    }
  }

  return {
    async call(exchange, options = {}) {
      const { signal, deadlineMs } = options
      const scope = openScope(source, deadlineMs ?? limits.totalMs, signal)
      try {
        refuseIfBusy()
        return await scope.race(takeTurn(scope, options).then(() => {
          refuseIfBusy()
          return place(() => attempts(exchange, scope, options))
        }))
      } finally {
        scope.close()
      }
    },
    health: () => ({
      circuit: STATES[circuit.state], active: place.activeCount, queued: place.pendingCount,
      skewMs,
    }),
    close: () => pool.destroy(),
  }
}
