/**
 * The one way out to the platforms. A call takes its turn in the gateway's call budget, waits for
 * a slot (bulkhead), passes the circuit, is made, read and, if it is a read with a transient
 * failure, made again; all within one deadline. It logs nothing: addresses hold signatures, bodies
 * hold personal data.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  circuitBreaker, CircuitState, CountBreaker, ExponentialBackoff, handleWhen, isBrokenCircuitError,
  type CircuitBreakerPolicy,
} from 'cockatiel'
import pLimit, { type LimitFunction } from 'p-limit'
import { Pool } from 'undici'
import { attempt, readAnswer, type PlatformCall } from './attempt.ts'
import {
  FAILURES, SourceError, type CallOptions, type FailureKind, type Health,
} from './contract.ts'
import { DEFAULT_LIMITS, type Budget, type PlatformLimits } from './limits.ts'
import { untilChinaMidnight, type Clock } from './time.ts'

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
  readonly limits?: Partial<PlatformLimits> | undefined
  readonly observe?: ((seen: Observation) => void) | undefined
  readonly random?: (() => number) | undefined
}

export interface PlatformClient {
  call<T>(exchange: PlatformCall<T>, options?: CallOptions): Promise<T>
  health(): Health
  close(): Promise<void>
}

export const createClient = (options: ClientOptions): PlatformClient => new PooledClient(options)

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const
const FORBIDDEN_REST_MS = 3_600_000
const STRIKES_MAX = 5

class PooledClient implements PlatformClient {
  readonly #options: ClientOptions
  readonly #limits: PlatformLimits
  readonly #base: URL
  readonly #pool: Pool
  readonly #slots: LimitFunction
  readonly #circuit: CircuitBreakerPolicy
  readonly #random: () => number
  #strikes = 0
  /** Calls that wait for a turn. They hold no slot: one that has its turn overtakes them. */
  #waiting = 0
  #skewMs: number | null = null

  constructor(options: ClientOptions) {
    const limits: PlatformLimits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#options = options
    this.#limits = limits
    this.#base = new URL(options.baseUrl)
    this.#pool = new Pool(this.#base.origin, {
      connections: limits.concurrency,
      connect: { timeout: limits.connectMs },
      keepAliveTimeout: limits.keepAliveMs,
      pipelining: 1,
    })
    this.#slots = pLimit(limits.concurrency)
    this.#circuit = createCircuit(limits)
    this.#random = options.random ?? Math.random
  }

  async call<T>(exchange: PlatformCall<T>, options: CallOptions = {}): Promise<T> {
    const { signal, deadlineMs } = options
    const scope = openScope(this.#options.source, deadlineMs ?? this.#limits.totalMs, signal)
    try {
      this.#refuseIfBusy()
      return await scope.race(this.#takeTurn(scope, options).then(() => {
        this.#refuseIfBusy()
        return this.#slots(() => this.#attempts(exchange, scope, options))
      }))
    } finally {
      scope.close()
    }
  }

  health(): Health {
    return {
      circuit: STATES[this.#circuit.state], active: this.#slots.activeCount,
      queued: this.#slots.pendingCount, skewMs: this.#skewMs,
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  #refuseIfBusy(): void {
    const { activeCount, pendingCount } = this.#slots
    const { concurrency, queueMax } = this.#limits
    if (activeCount + pendingCount >= concurrency + queueMax) throw this.#failure('busy')
  }

  /** Waits for its turn when that is near; otherwise fails with the time until then. */
  async #takeTurn(
    scope: Scope, { payer, waitMs = this.#limits.waitMs }: CallOptions,
  ): Promise<void> {
    for (let patience = waitMs; ;) {
      const wait = await this.#options.budget.take(payer)
      if (wait <= 0) return
      if (wait > patience || (payer && this.#waiting >= this.#limits.queueMax)) {
        throw this.#failure('rate_limited', wait)
      }
      patience -= wait
      this.#waiting += 1
      try {
        await pause(wait, undefined, { signal: scope.signal })
      } finally {
        this.#waiting -= 1
      }
    }
  }

  async #attempts<T>(exchange: PlatformCall<T>, scope: Scope, options: CallOptions): Promise<T> {
    const { retries, retryMs } = this.#limits
    for (let nth = 1; ; nth += 1) {
      if (scope.signal.aborted) throw this.#failure('aborted')
      if (nth > 1) await this.#takeTurn(scope, options)
      try {
        const result = await this.#circuit.execute(() => this.#exchangeOnce(exchange, scope, nth))
        this.#strikes = 0
        return result
      } catch (error) {
        if (isBrokenCircuitError(error)) throw this.#failure('open')
        const failure = error instanceof SourceError ? error : this.#failure('network')
        const rest = this.#restMs(failure)
        if (rest > 0) {
          await this.#options.budget.limited(rest)
          const { kind, code } = failure
          throw new SourceError(this.#options.source, kind, {
            retryAfterMs: rest, ...(code && { code }),
          })
        }
        const again = exchange.repeatable && nth <= retries && FAILURES[failure.kind].retry
        if (!again) throw failure
        const wait = retryMs * 2 ** (nth - 1) * (0.5 + this.#random())
        await pause(wait, undefined, { signal: scope.signal })
      }
    }
  }

  async #exchangeOnce<T>(exchange: PlatformCall<T>, scope: Scope, nth: number): Promise<T> {
    // The caller has gone: nothing is sent, and the source is not to blame.
    if (scope.signal.aborted) throw this.#failure('aborted')
    const { source, clock, observe } = this.#options
    const began = clock.now()
    let outcome: Observation['outcome'] = 'ok'
    let bytes = 0
    try {
      const request = exchange.build()
      const { pathname } = this.#base
      const path = `${pathname === '/' && request.path ? '' : pathname}${request.path}`
      const answer = await attempt(
        source, this.#pool, { ...request, path }, this.#limits, scope.signal)
      bytes = answer.bytes
      if (answer.date) this.#skewMs = Date.parse(answer.date) - clock.now()
      return readAnswer(source, exchange, answer)
    } catch (error) {
      const failure = error instanceof SourceError ? error : this.#failure('bad_answer')
      outcome = failure.kind
      throw failure
    } finally {
      observe?.({
        source, operation: exchange.operation, outcome, attempt: nth, bytes,
        ms: clock.now() - began,
      })
    }
  }

  /** How long the gateway gets no calls after such a failure; 0 for most kinds. */
  #restMs({ kind, retryAfterMs }: SourceError): number {
    if (kind === 'quota') return retryAfterMs ?? untilChinaMidnight(this.#options.clock.now())
    if (kind === 'forbidden') return retryAfterMs ?? FORBIDDEN_REST_MS
    if (kind !== 'rate_limited') return 0
    this.#strikes = Math.min(this.#strikes + 1, STRIKES_MAX)
    return retryAfterMs ?? 500 * 2 ** this.#strikes * (1 + this.#random() / 2)
  }

  #failure(kind: FailureKind, retryAfterMs?: number): SourceError {
    return new SourceError(this.#options.source, kind,
      retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

const createCircuit = (limits: PlatformLimits): CircuitBreakerPolicy =>
  circuitBreaker(handleWhen((error) =>
    error instanceof SourceError && FAILURES[error.kind].opensCircuit), {
    breaker: new CountBreaker({
      threshold: 0.5, size: limits.breakWindow,
      minimumNumberOfCalls: Math.min(limits.breakAfter, limits.breakWindow),
    }),
    halfOpenAfter: new ExponentialBackoff({
      initialDelay: limits.breakMs, maxDelay: limits.breakMs * 8,
    }),
  })

/** The time that one call has: its own deadline, and the caller's. */
export interface Scope {
  /** Aborted with the SourceError that the call ends with. */
  readonly signal: AbortSignal
  /** The result, or the end of the scope if that comes first. */
  race<T>(work: Promise<T>): Promise<T>
  close(): void
}

export function openScope(source: string, ms: number, outer: AbortSignal | undefined): Scope {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new SourceError(source, 'timeout')), ms)
  const onOuter = (): void => {
    // A caller that gave up because its own time was over has seen a slow source.
    const late = (outer?.reason as { name?: unknown } | undefined)?.name === 'TimeoutError'
    controller.abort(new SourceError(source, late ? 'timeout' : 'aborted'))
  }
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  const { signal } = controller
  return {
    signal,
    race: (work) => race(signal, work),
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}

async function race<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort!: () => void
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as SourceError)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
