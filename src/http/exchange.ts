/**
 * The only file that touches uWebSockets. One exchange is one request and its one answer: what
 * a handler returns, what its error means, or 503 at the deadline, whichever comes first.
 */
import type { HttpRequest as NativeRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { monotonicMs } from '../clock.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { describeError, logAccess, type AccessLog } from './access.ts'
import { createClientAddress, type ClientAddress } from './address.ts'
import { Body } from './body.ts'
import { createCors, preflightHeaders, type Cors } from './cors.ts'
import { Head, TARGET_BYTES_MAX, targetTooLong, unclearFraming } from './head.ts'
import { Incoming } from './incoming.ts'
import { uws } from './native.ts'
import { listenError } from './port.ts'
import { headerLines, isBodiless, statusLine } from './reply.ts'
import { createRouter, type Match, type Router } from './router.ts'
import { METHODS, type HeaderList, type HttpReply, type HttpRequest, type Route } from './types.ts'

export interface ListenOptions extends Pick<
  Config, 'host' | 'port' | 'trustedProxies' | 'allowedOrigins' | 'requestDeadlineMs' | 'drainMs'
> {
  readonly routes: readonly Route[]
  readonly log: AccessLog
  /** Makes the answer for a Refusal and for anything else that was thrown. */
  readonly onError: (error: unknown, request: HttpRequest) => HttpReply
  /** Like requestDeadlineMs, counted from when the head of the request had come. */
  readonly bodyDeadlineMs?: number
  /** Several processes take turns on the port; without it nobody else can have it. */
  readonly isShared?: boolean
}

export interface Listener {
  readonly port: number
  /** No new connections; answers to requests on the old ones say `Connection: close`. */
  stopAccepting(): void
  inFlight(): number
  /** Stops accepting, waits for what is in flight for `drainMs`, then closes every connection. */
  close(): Promise<void>
}

/** uWebSockets cuts a silent body after 8 to 12 s without a word, so ours has to come first. */
const BODY_DEADLINE_MS = 7000
/** From this size on, what the client has not taken yet is waited for instead of copied. */
const STREAMED_BYTES_MIN = 32_768
const ALL_METHODS = METHODS.join(', ').replace('GET', 'GET, HEAD').concat(', OPTIONS')
/** Status for the log only: the client had gone. */
const CLIENT_GONE = 499
const LAST_RESORT: HttpReply = {
  status: 500,
  headers: [['Content-Type', 'application/json; charset=utf-8']],
  body: '{"schema":"v1","code":50000,"msg":"The service failed unexpectedly.","data":null,'
    + '"agent_ref":null}',
}

interface Server {
  readonly options: ListenOptions
  readonly bodyDeadlineMs: number
  readonly router: Router
  readonly cors: Cors
  readonly addressOf: ClientAddress
  /** Exchanges that wait for a handler, a body or a slow reader; the oldest first. */
  readonly pending: Set<Exchange>
  isDraining: boolean
  whenIdle: () => void
}

class Exchange extends Incoming {
  private readonly server: Server
  private readonly startedMs = monotonicMs()
  /** Undefined once it is answered or the client has gone: from then on it must not be touched. */
  private response: HttpResponse | undefined
  /** uWebSockets corks what is written before its callback returns; later writes ask for it. */
  private isCorked = true
  private isAmbiguous = false
  private isFinished = false

  constructor(server: Server, response: HttpResponse, request: NativeRequest) {
    const head = new Head()
    request.forEach((name, value) => { head.add(name, value) })
    const method = request.getCaseSensitiveMethod()
    super(method, request.getUrl(), request.getQuery() ?? '', head, server.addressOf)
    this.server = server
    this.response = response
  }

  protected override peer(): string | undefined {
    return this.response && Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1')
  }

  /** Never throws: an exception that reaches uWebSockets ends the process. */
  run(): void {
    try {
      this.dispatch()
    } catch (error) {
      this.fail(error)
    }
  }

  /** False when it is too young for any deadline: then every exchange after it is, too. */
  expire(nowMs: number): boolean {
    const { bodyDeadlineMs, options: { requestDeadlineMs } } = this.server
    const ageMs = nowMs - this.startedMs
    if (ageMs >= bodyDeadlineMs) this.content?.expire()
    if (ageMs >= requestDeadlineMs) this.giveUp()
    return ageMs >= Math.min(bodyDeadlineMs, requestDeadlineMs)
  }

  giveUp(): void {
    if (!this.response) return
    this.fail(new Refusal('unavailable'))
    this.abort()
  }

  private dispatch(): void {
    const { head, server } = this
    if (!head.isFramedClearly) {
      this.isAmbiguous = true
      // Answered a turn later: a second request behind this one in the same segment would be
      // handled before the connection closes, and one that still waits makes uWS drop both.
      const refusal = unclearFraming()
      this.wait(new Promise((_, reject) => { setImmediate(reject, refusal) }))
      return
    }
    const length = head.contentLength
    if (head.isChunked || length > 0) this.content = new Body(head.isChunked ? undefined : length)
    if (head.isTooLarge) throw new Refusal('headers_too_large')
    if (this.path.length + this.query.length > TARGET_BYTES_MAX) throw targetTooLong()
    const match = server.router.find(this.path)
    if (this.method === 'OPTIONS') this.send(this.describeOptions(match))
    else if (match) this.handle(match)
    else throw new Refusal('not_found')
  }

  private handle({ endpoint, params }: Match): void {
    this.route = endpoint.pattern
    this.params = params
    const handler = endpoint.handlers.get(this.method)
    if (!handler) {
      const refusal = new Refusal('method_not_allowed', { allowed: endpoint.allow.split(', ') })
      this.fail(refusal, [['Allow', endpoint.allow]])
      return
    }
    const { content } = this
    // At once, although the handler may ask much later: what nobody listens for is thrown away.
    if (content) this.response?.onData((chunk, isLast) => { content.add(chunk, isLast) })
    const result = handler(this)
    if (result instanceof Promise) this.wait(result)
    else this.send(result)
  }

  /** A page's preflight gets its permission for any path, so that it can read the 404 after it. */
  private describeOptions(match: Match | undefined): HttpReply {
    const isPreflight = this.header('access-control-request-method') !== undefined
    if (!match && !isPreflight) throw new Refusal('not_found')
    this.route = match?.endpoint.pattern ?? ''
    return { status: 204, headers: preflightHeaders(match?.endpoint.allow ?? ALL_METHODS) }
  }

  private wait(result: Promise<HttpReply>): void {
    this.isCorked = false
    void this.address // Kept now: a client that has gone can no longer be asked.
    this.response?.onAborted(() => { this.leave() })
    this.server.pending.add(this)
    void this.settle(result)
  }

  private async settle(result: Promise<HttpReply>): Promise<void> {
    try {
      this.send(await result)
    } catch (error) {
      this.fail(error)
    }
  }

  private fail(error: unknown, headers: HeaderList = []): void {
    if (!this.response) return
    const { log, onError } = this.server.options
    const isExpected = error instanceof Refusal
    if (!isExpected) log.error({ request_id: this.id, ...describeError(error) }, 'handler failed')
    try {
      const reply = onError(error, this)
      this.send({ ...reply, headers: [...reply.headers ?? [], ...headers] })
    } catch (failure) {
      log.error({ request_id: this.id, ...describeError(failure) }, 'error has no answer')
      this.send(LAST_RESORT)
    }
  }

  /** Throws only while nothing is written; after that the worst is a closed connection. */
  private send(reply: HttpReply): void {
    const { response, server } = this
    if (!response) return
    const { status, body = '' } = reply
    const line = statusLine(status)
    const lines = `${this.id}\r\nX-Content-Type-Options: nosniff`
      + server.cors.linesFor(this.header('origin')) + headerLines(reply.headers ?? [])
    const bytes = Buffer.byteLength(body)
    void this.address
    this.response = undefined
    const write = (): void => {
      try {
        // uWS writes a value as it stands: all lines in one call cost a fraction of one call each.
        response.writeStatus(line).writeHeader('X-Request-Id', lines)
        if (this.writeBody(response, status, body, bytes)) this.finish(status, bytes)
      } catch (error) {
        this.finish(CLIENT_GONE, 0)
        server.options.log.error({ request_id: this.id, ...describeError(error) }, 'not written')
        response.close()
      }
    }
    if (this.isCorked) write()
    else response.cork(write)
  }

  /** Whether all of it is on its way. */
  private writeBody(
    response: HttpResponse, status: number, body: Buffer | string, bytes: number,
  ): boolean {
    const isSpent = this.isAmbiguous || this.content?.isUnfinished === true
    const { isDraining } = this.server
    const isLast = isSpent || isDraining
    if (isBodiless(status)) response.endWithoutBody(undefined, isLast)
    else if (this.isHead) response.endWithoutBody(bytes, isLast)
    else if (bytes < STREAMED_BYTES_MIN || isSpent) response.end(body, isLast)
    else {
      if (isDraining) response.writeHeader('Connection', 'close')
      return this.stream(response, status, typeof body === 'string' ? Buffer.from(body) : body)
    }
    return true
  }

  /** A large body is in flight until its last byte has left, so that draining does not cut it. */
  private stream(response: HttpResponse, status: number, body: Buffer): boolean {
    const [, isWhole] = response.tryEnd(body, body.length)
    if (isWhole) return true
    if (this.isCorked) response.onAborted(() => { this.leave() })
    this.server.pending.add(this)
    response.onWritable((offset) => {
      const [isTaken, isDone] = response.tryEnd(body.subarray(offset), body.length)
      if (isDone) this.finish(status, body.length)
      return isTaken
    })
    return false
  }

  /** The client has gone. */
  private leave(): void {
    this.response = undefined
    this.abort()
    this.content?.abort()
    this.finish(CLIENT_GONE, 0)
  }

  private finish(status: number, bytes: number): void {
    if (this.isFinished) return
    this.isFinished = true
    const { options: { log }, pending, whenIdle } = this.server
    if (pending.delete(this) && pending.size === 0) whenIdle()
    if (!log.isLevelEnabled('info')) return
    logAccess(log, {
      request_id: this.id,
      method: this.isHead ? 'HEAD' : this.method,
      route: this.route,
      status,
      ms: monotonicMs() - this.startedMs,
      bytes: this.isHead ? 0 : bytes,
      address: this.address,
    }, this.notes)
  }
}
