/** Opens the port, enforces deadlines while it serves, and drains it at the end. */
import { setImmediate } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import type { HttpReply, HttpRequest, Route } from '../contract/http.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs, sleep, withDeadline } from '../contract/time.ts'
import type { Shape } from '../redis/counters.ts'
import { type AccessLog, AccessSampler } from './access.ts'
import { AddressBucket, PAGES } from '../limits/address-bucket.ts'
import { BodyBudget } from './body.ts'
import { createCors } from './cors.ts'
import { bind, type Exchange, type Server } from './exchange.ts'
import { Pending } from './pending.ts'
import { listenError } from './port.ts'
import { createClientAddress } from './request.ts'
import { createRouter } from './router.ts'
import { Turn } from './turn.ts'
import { isApiPath } from './unrouted.ts'

export interface ListenOptions extends Pick<
  Config, 'host' | 'port' | 'trustedProxies' | 'allowedOrigins' | 'requestDeadlineMs'
  | 'drainNoticeMs' | 'drainMs' | 'accessLogPerSecond'
> {
  readonly routes: readonly Route[]
  readonly log: AccessLog
  /** Makes the answer for a Refusal and for anything else that was thrown. */
  readonly onError: (error: unknown, request: HttpRequest) => HttpReply
  /** Answers what reaches no handler: an unknown address, a wrong method. As onError without it. */
  readonly rejectUnrouted?: (refusal: Refusal, request: HttpRequest) => MaybePromise<HttpReply>
  /** Like requestDeadlineMs, counted from when the head of the request had come. */
  readonly bodyDeadlineMs?: number
  /** How often an address may call routes without a limit of their own. */
  readonly pages?: Shape
  /** Several processes share the port (not 0); without it the port is exclusive. */
  readonly isShared?: boolean
}

export interface Listener {
  readonly port: number
  /** No new connections; answers to requests on the old ones say `Connection: close`. */
  stopAccepting(): void
  inFlight(): number
  /**
   * For `drainNoticeMs` it serves as before, with `Connection: close` in every answer: who can go
   * elsewhere goes. Then it stops accepting, waits `drainMs` for what is in flight, and closes
   * every connection.
   */
  close(): Promise<void>
}

/** The native server cuts a silent body after 8 to 12 s without a word: ours has to come first. */
const BODY_DEADLINE_MS = 7000
const SWEEP_MS_MIN = 5
const SWEEP_MS_MAX = 100

export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, requestDeadlineMs, bodyDeadlineMs = BODY_DEADLINE_MS } = options
  const server: Server = {
    router: createRouter(options.routes),
    cors: createCors(options.allowedOrigins),
    addressOf: createClientAddress(options.trustedProxies),
    log: options.log,
    sampler: new AccessSampler(options.accessLogPerSecond),
    turn: new Turn(),
    budget: new BodyBudget(),
    pages: new AddressBucket('pages', options.pages ?? PAGES),
    onError: options.onError,
    rejectUnrouted(error, request) {
      if (!(error instanceof Refusal)) throw error
      const flood = isApiPath(request.path) ? undefined : server.pages.take(request.address)
      return chain(flood, (refusal) =>
        (refusal ? options.onError(refusal, request)
          : (options.rejectUnrouted ?? options.onError)(error, request)))
    },
    requestDeadlineMs,
    bodyDeadlineMs,
    pending: new Pending(),
    streaming: new Set(),
    isDraining: false,
    whenIdle: () => {},
  }
  const binding = await bind(server, host, port, options.isShared ?? false)
  if (!binding) throw await listenError(host, port)

  const sweepMs = Math.min(requestDeadlineMs, bodyDeadlineMs) / 20
  const sweeper = setInterval(
    () => { sweep(server.pending) }, Math.min(Math.max(sweepMs, SWEEP_MS_MIN), SWEEP_MS_MAX),
  ).unref()
  const stopAccepting = (): void => {
    server.isDraining = true
    binding.stopAccepting()
  }
  const close = async (): Promise<void> => {
    server.isDraining = true
    if (options.drainNoticeMs > 0) await sleep(options.drainNoticeMs)
    stopAccepting()
    for (const exchange of server.streaming) exchange.endStream()
    await withDeadline(drained(server), options.drainMs, () => new Error('late')).catch(() => {})
    for (const exchange of server.pending) exchange.giveUp()
    binding.closeAll()
    clearInterval(sweeper)
  }
  let closing: Promise<void> | undefined
  return {
    port: binding.port,
    stopAccepting,
    inFlight: () => server.pending.size,
    close: () => closing ??= close(),
  }
}

/** One timer for all deadlines: a timer for each request would cost the fast ones too much. */
function sweep(pending: Pending<Exchange>): void {
  const nowMs = monotonicMs()
  for (const exchange of pending) if (!exchange.expire(nowMs)) return
}

async function drained(server: Server): Promise<void> {
  do {
    if (server.pending.size > 0) await new Promise<void>((idle) => { server.whenIdle = idle })
    // Two turns of the event loop, so that requests which had already come are answered as well.
    await setImmediate()
    await setImmediate()
  } while (server.pending.size > 0)
}
