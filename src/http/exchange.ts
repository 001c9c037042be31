/**
 * The only file that touches uWebSockets. One exchange is one request and its one answer: what
 * a handler returns, what its error means, or 503 at the deadline, whichever comes first.
 */
import type { HttpRequest as NativeRequest, HttpResponse } from 'uWebSockets.js'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HttpReply, HttpRequest } from '../contract/http.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs } from '../contract/time.ts'
import {
  accessText, type AccessLog, type AccessSampler, CLIENT_GONE, countRequest, describeError,
} from './access.ts'
import type { AddressBucket } from '../limits/address-bucket.ts'
import { Body, type BodyBudget } from './body.ts'
import type { Cors } from './cors.ts'
import { type Binding, drop, openPort } from './native.ts'
import type { Pending, Waiting } from './pending.ts'
import {
  borrowedBody, LAST_RESORT, render, type RenderedReply, streamBody, STREAMED_BYTES_MIN, wholeBody,
} from './reply.ts'
import {
  CHUNKED, Head, IncomingRequest, UNCLEAR, unclearFraming, type ClientAddress,
} from './request.ts'
import { findHandler, type FoundHandler, type Router } from './router.ts'
import type { Held, Turn } from './turn.ts'

/** What the exchanges of one listener share. */
export interface Server {
  readonly router: Router
  readonly cors: Cors
  readonly addressOf: ClientAddress
  readonly log: AccessLog
  readonly sampler: AccessSampler
  readonly turn: Turn
  readonly budget: BodyBudget
  /** Of addresses that call what has no limit of its own. */
  readonly pages: AddressBucket
  readonly onError: (error: unknown, request: HttpRequest) => HttpReply
  /** Answers what reaches no handler; throws what is no Refusal. */
  readonly rejectUnrouted: (error: unknown, request: HttpRequest) => MaybePromise<HttpReply>
  readonly requestDeadlineMs: number
  readonly bodyDeadlineMs: number
  /** Exchanges that wait for a handler, a body or a slow reader; the oldest first. */
  readonly pending: Pending<Exchange>
  /** Exchanges whose answer is a stream, for as long as it lasts. */
  readonly streaming: Set<Exchange>
  isDraining: boolean
  whenIdle: () => void
}

/** The handler waits for the body to begin. */
const HELD = Symbol('held')
type Begun = HttpReply | typeof HELD

export class Exchange extends IncomingRequest implements Held, Waiting {
  private readonly server: Server
  private readonly startedMs = monotonicMs()
  /** Undefined once it is answered or the client disconnected: it must not be used after that. */
  private response: HttpResponse | undefined
  /** uWebSockets corks what is written before its callback returns; later writes do it here. */
  private isCorked = true
  private isWatched = false
  /** Of a request with a body, until the first bytes of it or the end of the turn. */
  private held: Handler | undefined
  private isAmbiguous = false
  private isFinished = false
  private isStreaming = false
  before: this | undefined
  after: this | undefined
  isWaiting = false
  /** Until the head of a streamed answer: how long all of it lasts depends on its reader. */
  private headMs: number | undefined

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

  /** False before its deadline: then no later exchange has reached one, either. */
  expire(nowMs: number): boolean {
    const { bodyDeadlineMs, requestDeadlineMs } = this.server
    // An answer has begun: it has no deadline but the drain's.
    if (this.isStreaming) return true
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
    const length = head.bodyLength()
    if (length === UNCLEAR) {
      this.isAmbiguous = true
      // A turn later: a second request behind this one in the same segment would be handled
      // before the connection closes.
      this.wait(this.nextTurn(() => server.rejectUnrouted(unclearFraming(), this)))
      return
    }
    if (length !== 0) {
      const announced = length === CHUNKED ? undefined : length
      this.content = new Body(announced, server.budget, () => this.address)
    }
    this.follow(server.turn.take() ? this.begin() : this.beginLater())
  }

  private follow(begun: MaybePromise<Begun>): void {
    if (begun instanceof Promise) this.wait(begun)
    else if (begun !== HELD) this.send(begun)
  }

  /** uWebSockets closes a connection whose next request comes while this one waits. */
  private async nextTurn(answer: () => MaybePromise<Begun>): Promise<Begun> {
    await new Promise((resolve) => { setImmediate(resolve) })
    if (!this.response) throw new Error('The client closed the connection.')
    return await answer()
  }

  private beginLater(): Promise<Begun> {
    this.receive()
    return this.nextTurn(() => this.begin())
  }

  /** uWebSockets discards chunks that have no listener. */
  private receive(): void {
    const { content } = this
    if (content) {
      this.response?.onData((chunk, isLast) => {
        content.add(chunk, isLast)
        this.start()
      })
    }
  }

  private begin(): MaybePromise<Begun> {
    const { server } = this
    let found: FoundHandler
    try {
      found = findHandler(server.router, this.head, this)
    } catch (error) {
      return server.rejectUnrouted(error, this)
    }
    const { handler, limitedBy, bodyBytesMax } = found
    this.route = found.route
    this.params = found.params
    if (!handler) return server.rejectUnrouted(found.refusal, this)
    if (limitedBy === undefined) {
      const flood = server.pages.take(this.address)
      if (flood instanceof Promise) return this.refuseLate(flood)
      if (flood) throw flood
    }
    if (bodyBytesMax !== undefined) this.content?.limit(bodyBytesMax)
    // At once, although the handler may read the body much later.
    this.receive()
    if (!this.content || !this.isCorked) return handler(this)
    this.held = handler
    this.watch()
    server.turn.hold(this)
    return HELD
  }

  get isHeld(): boolean { return this.held !== undefined }

  /** uWebSockets corks what is written before its callback returns, with a body's bytes as well. */
  start(isCorked = true): void {
    const { held } = this
    this.held = undefined
    if (!held || !this.response) return
    this.isCorked = isCorked
    try {
      this.follow(held(this))
    } catch (error) {
      this.fail(error)
    }
  }

  private async refuseLate(flood: Promise<Refusal | undefined>): Promise<never> {
    this.receive()
    throw await flood
  }

  private wait(result: Promise<Begun>): void {
    this.isCorked = false
    this.keepAddress()
    this.watch()
    this.server.pending.add(this)
    void this.settle(result)
  }

  /** uWebSockets asks for it before its callback returns without an answer. */
  private watch(response = this.response): void {
    if (this.isWatched) return
    this.isWatched = true
    response?.onAborted(() => { this.onClientGone() })
  }

  /** For the log: a closed or answered connection has no address any more. */
  private keepAddress(): void {
    if (this.server.log.isLevelEnabled('info')) void this.address
  }

  /** To ask for an address costs a tenth of a kept answer, of which most have no line. */
  private mayBeLogged({ status, bytes, stream }: RenderedReply): boolean {
    return bytes >= STREAMED_BYTES_MIN || stream !== undefined
      || this.server.sampler.mayTake(status, monotonicMs())
  }

  private async settle(result: Promise<Begun>): Promise<void> {
    try {
      this.follow(await result)
    } catch (error) {
      this.fail(error)
    }
  }

  private fail(error: unknown): void {
    if (!this.response) return
    const { log, onError } = this.server
    const isExpected = error instanceof Refusal
    if (!isExpected) log.error({ request_id: this.id, ...describeError(error) }, 'handler failed')
    this.note({ error: isExpected ? error.error : 'internal' })
    try {
      this.send(onError(error, this))
    } catch (failure) {
      log.error({ request_id: this.id, ...describeError(failure) }, 'error has no answer')
      this.send(LAST_RESORT)
    }
  }

  /** Throws only while nothing is written; after that the worst is a closed connection. */
  private send(reply: HttpReply): void {
    const { response, server } = this
    if (!response) return
    const rendered = render(reply, this.id, server.cors.linesFor(this.path, this.header('origin')))
    if (this.mayBeLogged(rendered)) this.keepAddress()
    this.response = undefined
    if (this.isCorked) this.write(response, rendered)
    else response.cork(() => { this.write(response, rendered) })
  }

  private write(response: HttpResponse, reply: RenderedReply): void {
    try {
      // uWS writes a value as it stands: all lines in one call cost a fraction of one call each.
      if (reply.status !== 200) response.writeStatus(reply.statusLine)
      response.writeHeader('X-Request-Id', reply.lines)
      if (reply.stream && !this.isHead) this.sendStream(response, reply.stream, reply)
      else if (this.writeBody(response, reply)) this.finish(reply.status, reply.bytes)
    } catch (error) {
      const { log } = this.server
      log.error({ request_id: this.id, ...describeError(error) }, 'answer not written')
      drop(response)
      this.finish(CLIENT_GONE, 0)
    }
  }

  /** Whether all of it is on its way. */
  private writeBody(response: HttpResponse, reply: RenderedReply): boolean {
    const { body, bytes } = reply
    const isSpent = this.isAmbiguous || this.content?.isUnfinished === true
    const isLast = isSpent || this.server.isDraining
    if (reply.isBodiless || reply.stream) {
      // Only without any argument does uWS leave the length out, so the client has to close.
      if (isLast) response.writeHeader('Connection', 'close')
      response.endWithoutBody()
    } else if (this.isHead) response.endWithoutBody(bytes, isLast)
    else if (bytes < STREAMED_BYTES_MIN) response.end(borrowedBody(body, bytes), isLast)
    else {
      const whole = wholeBody(body)
      if (!isSpent) {
        if (isLast) response.writeHeader('Connection', 'close')
        return this.sendLarge(response, reply, whole)
      }
      response.end(whole, isLast)
    }
    return true
  }

  /** A large body is in flight until its last byte has left, so that draining does not cut it. */
  private sendLarge(
    response: HttpResponse, { status, bytes }: RenderedReply, body: Buffer,
  ): boolean {
    const [, isWhole] = response.tryEnd(body, bytes)
    if (isWhole) return true
    this.watch(response)
    this.server.pending.add(this)
    response.onWritable((offset) => {
      const [isTaken, isDone] = response.tryEnd(body.subarray(offset), bytes)
      if (isDone) this.finish(status, bytes)
      return isTaken
    })
    return false
  }

  /** Chunks as they come: no deadline but the client's patience, and the drain's. */
  private sendStream(
    response: HttpResponse, stream: AsyncIterable<string>, { status, isEndless }: RenderedReply,
  ): void {
    const { pending, streaming, whenIdle, log } = this.server
    this.watch(response)
    this.isStreaming = true
    this.headMs = monotonicMs() - this.startedMs
    if (!isEndless) pending.add(this)
    else {
      streaming.add(this)
      if (pending.delete(this) && pending.size === 0) whenIdle()
    }
    streamBody(stream, {
      signal: this.signal,
      write(chunk) {
        let isTaken = true
        response.cork(() => { isTaken = response.write(chunk) })
        return isTaken
      },
      onWritable: (listener) => response.onWritable(() => {
        listener()
        return true
      }),
    }).then((bytes) => {
      if (this.isFinished) return
      response.cork(() => { response.end() })
      this.finish(status, bytes)
    }).catch((error: unknown) => {
      if (this.isFinished) return
      log.error({ request_id: this.id, ...describeError(error) }, 'stream broken off')
      drop(response)
      this.finish(CLIENT_GONE, 0)
    })
  }

  /** The server drains: a client that follows a stream reconnects, to another node. */
  endStream(): void { this.abort() }

  private onClientGone(): void {
    this.response = undefined
    this.abort()
    this.content?.abort()
    this.finish(CLIENT_GONE, 0)
  }

  private finish(status: number, bytes: number): void {
    if (this.isFinished) return
    this.isFinished = true
    this.content?.discard()
    const { log, sampler, pending, streaming, whenIdle } = this.server
    if (this.isStreaming) streaming.delete(this)
    if (pending.delete(this) && pending.size === 0) whenIdle()
    const ms = monotonicMs() - this.startedMs
    countRequest(this.route, status, this.headMs ?? ms, this.notes)
    if (!log.isLevelEnabled('info')) return
    const suppressed = sampler.take(status, this.startedMs + ms)
    if (suppressed === undefined) return
    log.writeLine(accessText({
      request_id: this.id,
      method: this.isHead ? 'HEAD' : this.method,
      route: this.route,
      status,
      ms,
      bytes: this.isHead ? 0 : bytes,
      address: this.address,
      ...(suppressed > 0 && { suppressed }),
    }, this.notes))
  }
}

/** Undefined when the port cannot be had. */
export const bind = (
  server: Server, host: string, port: number, isShared: boolean,
): Promise<Binding | undefined> => openPort((response, request) => {
  try {
    new Exchange(server, response, request).run()
  } catch {
    drop(response)
  }
}, host, port, isShared)
