/**
 * The only file that touches uWebSockets. One exchange is one request and its one answer: what
 * a handler returns, what its error means, or 503 at the deadline, whichever comes first.
 */
import type { HttpRequest as NativeRequest, HttpResponse } from 'uWebSockets.js'
import { monotonicMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Maybe } from '../contract/maybe.ts'
import { CLIENT_GONE, countRequest, describeError, logAccess } from './access.ts'
import { Body } from './body.ts'
import { findHandler, type Found } from './find.ts'
import { CHUNKED, Head, UNCLEAR, unclearFraming } from './head.ts'
import { Incoming } from './incoming.ts'
import { openPort, type Binding } from './native.ts'
import { lentBody, STREAMED_BYTES_MIN, wholeBody } from './pieces.ts'
import { pour } from './pour.ts'
import { LAST_RESORT, render, type Rendered } from './reply.ts'
import type { Server } from './shared.ts'
import type { HttpReply } from '../contract/http.ts'

export class Exchange extends Incoming {
  private readonly server: Server
  private readonly startedMs = monotonicMs()
  /** Undefined once it is answered or the client has gone: from then on it must not be touched. */
  private response: HttpResponse | undefined
  /** uWebSockets corks what is written before its callback returns; later writes ask for it. */
  private isCorked = true
  private isAmbiguous = false
  private isFinished = false
  private isPouring = false
  /** Until the head of an answer in pieces: how long all of it lasts is its reader's doing. */
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

  /** False when it is too young for any deadline: then every exchange after it is, too. */
  expire(nowMs: number): boolean {
    const { bodyDeadlineMs, requestDeadlineMs } = this.server
    // An answer has begun: it has no deadline but the drain's.
    if (this.isPouring) return true
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
      this.wait(this.aTurnLater(() => server.turnAway(unclearFraming(), this)))
      return
    }
    if (length !== 0) {
      const announced = length === CHUNKED ? undefined : length
      this.content = new Body(announced, server.bodies, () => this.address)
    }
    const result = server.turn.take() ? this.begin() : this.beginLater()
    if (result instanceof Promise) this.wait(result)
    else this.send(result)
  }

  /** uWebSockets closes a connection whose next request comes while this one waits. */
  private async aTurnLater(answer: () => Maybe<HttpReply>): Promise<HttpReply> {
    await new Promise((resolve) => { setImmediate(resolve) })
    if (!this.response) throw new Error('The client closed the connection.')
    return await answer()
  }

  private beginLater(): Promise<HttpReply> {
    this.receive()
    return this.aTurnLater(() => this.begin())
  }

  /** What nobody listens for is thrown away. */
  private receive(): void {
    const { content } = this
    if (content) this.response?.onData((chunk, isLast) => { content.add(chunk, isLast) })
  }

  private begin(): Maybe<HttpReply> {
    const { server } = this
    let found: Found
    try {
      found = findHandler(server.router, this.head, this)
    } catch (error) {
      return server.turnAway(error, this)
    }
    const { handler, limitedBy, bodyBytesMax } = found
    this.route = found.route
    this.params = found.params
    if (!handler) return server.turnAway(found.refusal, this)
    if (limitedBy === undefined) {
      const flood = server.pages.take(this.address)
      if (flood instanceof Promise) return this.refuseLate(flood)
      if (flood) throw flood
    }
    if (bodyBytesMax !== undefined) this.content?.limit(bodyBytesMax)
    // At once, although the handler may ask much later.
    this.receive()
    return handler(this)
  }

  private async refuseLate(flood: Promise<Refusal | undefined>): Promise<never> {
    this.receive()
    throw await flood
  }

  private wait(result: Promise<HttpReply>): void {
    this.isCorked = false
    this.keepAddress()
    this.response?.onAborted(() => { this.leave() })
    this.server.pending.add(this)
    void this.settle(result)
  }

  /** For the log: a connection that was answered or has gone can no longer be asked. */
  private keepAddress(): void {
    if (this.server.log.isLevelEnabled('info')) void this.address
  }

  private async settle(result: Promise<HttpReply>): Promise<void> {
    try {
      this.send(await result)
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
    this.keepAddress()
    this.response = undefined
    if (this.isCorked) this.write(response, rendered)
    else response.cork(() => { this.write(response, rendered) })
  }

  private write(response: HttpResponse, reply: Rendered): void {
    try {
      // uWS writes a value as it stands: all lines in one call cost a fraction of one call each.
      if (reply.status !== 200) response.writeStatus(reply.statusLine)
      response.writeHeader('X-Request-Id', reply.lines)
      if (reply.stream && !this.isHead) this.pour(response, reply.stream, reply)
      else if (this.writeBody(response, reply)) this.finish(reply.status, reply.bytes)
    } catch (error) {
      const { log } = this.server
      log.error({ request_id: this.id, ...describeError(error) }, 'answer not written')
      drop(response)
      this.finish(CLIENT_GONE, 0)
    }
  }

  /** Whether all of it is on its way. */
  private writeBody(response: HttpResponse, reply: Rendered): boolean {
    const { body, bytes } = reply
    const isSpent = this.isAmbiguous || this.content?.isUnfinished === true
    const isLast = isSpent || this.server.isDraining
    if (reply.isBodiless || reply.stream) {
      // Only without any argument does uWS leave the length out, so the client has to close.
      if (isLast) response.writeHeader('Connection', 'close')
      response.endWithoutBody()
    } else if (this.isHead) response.endWithoutBody(bytes, isLast)
    else if (bytes < STREAMED_BYTES_MIN) response.end(lentBody(body, bytes), isLast)
    else {
      const whole = wholeBody(body)
      if (!isSpent) {
        if (isLast) response.writeHeader('Connection', 'close')
        return this.stream(response, reply, whole)
      }
      response.end(whole, isLast)
    }
    return true
  }

  /** A large body is in flight until its last byte has left, so that draining does not cut it. */
  private stream(response: HttpResponse, { status, bytes }: Rendered, body: Buffer): boolean {
    const [, isWhole] = response.tryEnd(body, bytes)
    if (isWhole) return true
    if (this.isCorked) response.onAborted(() => { this.leave() })
    this.server.pending.add(this)
    response.onWritable((offset) => {
      const [isTaken, isDone] = response.tryEnd(body.subarray(offset), bytes)
      if (isDone) this.finish(status, bytes)
      return isTaken
    })
    return false
  }

  /** Pieces as they come: no deadline but the client's patience, and the server's. */
  private pour(
    response: HttpResponse, stream: AsyncIterable<string>, { status, isEndless }: Rendered,
  ): void {
    const { pending, streaming, whenIdle, log } = this.server
    if (this.isCorked) response.onAborted(() => { this.leave() })
    this.isPouring = true
    this.headMs = monotonicMs() - this.startedMs
    if (!isEndless) pending.add(this)
    else {
      streaming.add(this)
      if (pending.delete(this) && pending.size === 0) whenIdle()
    }
    pour(stream, {
      signal: this.signal,
      write(piece) {
        let isTaken = true
        response.cork(() => { isTaken = response.write(piece) })
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

  /** The server drains: whoever follows a stream comes back, to another node. */
  endStream(): void { this.abort() }

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
    this.content?.discard()
    const { log, sampler, pending, streaming, whenIdle } = this.server
    streaming.delete(this)
    if (pending.delete(this) && pending.size === 0) whenIdle()
    const ms = monotonicMs() - this.startedMs
    countRequest(this.route, status, this.headMs ?? ms, this.notes)
    if (!log.isLevelEnabled('info')) return
    const suppressed = sampler.take(status, this.startedMs + ms)
    if (suppressed === undefined) return
    logAccess(log, {
      request_id: this.id,
      method: this.isHead ? 'HEAD' : this.method,
      route: this.route,
      status,
      ms,
      bytes: this.isHead ? 0 : bytes,
      address: this.address,
      ...(suppressed > 0 && { suppressed }),
    }, this.notes)
  }
}

/** For what should not happen: no answer, but no connection that waits for one either. */
function drop(response: HttpResponse): void {
  try {
    response.close()
  } catch {
    // It was answered already, and may not be touched.
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
