/** What a request says before its body: bounds of its head, where it ends, and whose it is. */
import { randomUUID } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { CidrRange } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import type { HttpRequest } from '../contract/http.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import type { Body } from './body.ts'

const HEADERS_MAX = 64
const HEADER_BYTES_MAX = 8192
/** Path and query together. */
export const TARGET_BYTES_MAX = 4096
/** Beyond this the native server answers 431 by itself, before any of our code runs. */
export const NATIVE_HEAD_BYTES_MAX = 16_384

export const CHUNKED = -1
export const UNCLEAR = -2
const DECIMAL = /^\d{1,15}$/

const TAKEN_ID = /^[\w.-]{1,64}$/
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const NO_BODY = Buffer.alloc(0)

/** `1.2.3.4:5` and `[::1]:5`, as some proxies write it. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/

/** The lines of a head. A list: for so few, looking through it is cheaper than any hashing. */
export class Head {
  /** Name, value, name, value and so on; names in lower case. */
  private readonly lines: string[] = []
  private bytes = 0

  add(name: string, value: string): void {
    this.bytes += name.length + value.length
    this.lines.push(name, value)
  }

  /** Repeated lines are joined, as RFC 9110 has it. */
  get(name: string): string | undefined {
    const { lines } = this
    let value: string | undefined
    for (let at = 0; at < lines.length; at += 2) {
      if (lines[at] === name) {
        value = value === undefined ? lines[at + 1] : `${value}, ${lines[at + 1]}`
      }
    }
    return value
  }

  get isTooLarge(): boolean {
    return this.lines.length > 2 * HEADERS_MAX || this.bytes > HEADER_BYTES_MAX
  }

  /**
   * Bytes of body to come, CHUNKED where only their end will tell, UNCLEAR where two readers
   * could disagree on where the body ends: that is how one request is smuggled inside another.
   * A joined Content-Length is no number, a joined coding not `chunked`.
   */
  bodyLength(): number {
    const length = this.get('content-length')
    const coding = this.get('transfer-encoding')
    if (coding !== undefined) {
      return length === undefined && coding.toLowerCase() === 'chunked' ? CHUNKED : UNCLEAR
    }
    if (length === undefined) return 0
    return DECIMAL.test(length) ? Number(length) : UNCLEAR
  }
}

export const unclearFraming = (): Refusal => new Refusal('invalid_request', {
  hint: 'Send one Content-Length, or Transfer-Encoding: chunked, and never both.',
})

export const targetTooLong = (): Refusal => new Refusal('invalid_request', {
  hint: `Send an address of at most ${TARGET_BYTES_MAX} bytes, or use a POST operation.`,
})

/** What a request says, as handlers see it; how it is answered is the exchange's part. */
export abstract class IncomingRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly id: string
  route = ''
  params = NO_PARAMS
  protected readonly head: Head
  readonly isHead: boolean
  protected content: Body | undefined
  protected notes: Record<string, unknown> | undefined
  private readonly addressOf: ClientAddress
  private client: string | undefined
  private aborter: AbortController | undefined
  isAborted = false

  constructor(
    method: string, path: string, query: string, head: Head, addressOf: ClientAddress,
  ) {
    this.isHead = method === 'HEAD'
    this.method = this.isHead ? 'GET' : method
    this.path = path
    this.query = query
    this.head = head
    this.addressOf = addressOf
    const id = head.get('x-request-id')
    this.id = id !== undefined && TAKEN_ID.test(id) ? id : randomUUID()
  }

  /** The other end of the connection; undefined once the connection is closed. */
  protected abstract peer(): string | undefined

  get address(): string {
    if (this.client === undefined) {
      const peer = this.peer()
      if (peer !== undefined) this.client = this.addressOf(peer, this.header('x-forwarded-for'))
    }
    return this.client ?? ''
  }

  get signal(): AbortSignal {
    this.aborter ??= new AbortController()
    if (this.isAborted) this.aborter.abort()
    return this.aborter.signal
  }

  header(name: string): string | undefined {
    return this.head.get(name)
  }

  body(): MaybePromise<Buffer> {
    return this.content ? this.content.read() : NO_BODY
  }

  note(fields: Record<string, unknown>): void {
    this.notes = this.notes ? Object.assign(this.notes, fields) : fields
  }

  protected abort(): void {
    this.isAborted = true
    this.aborter?.abort()
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The one spelling of an address; IPv4 inside IPv6 is IPv4. Undefined when it is none. */
export function normaliseAddress(text: string): string | undefined {
  return parse(text)?.toString()
}

function parse(text: string): Address | undefined {
  const match = WITH_PORT.exec(text)
  const bare = match?.[1] ?? match?.[2] ?? text
  // Strict on purpose: the parser alone also takes 0x7f.1 and zones such as fe80::1%eth0.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  if (!ipaddr.IPv6.isValid(bare) || bare.includes('%')) return undefined
  return ipaddr.process(bare)
}

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * Reads X-Forwarded-For from the right: every trusted hop vouches for the one before it, and the
 * first that is not trusted is the client. The client may have forged what stands further left.
 */
export function createClientAddress(trusted: readonly CidrRange[]): ClientAddress {
  const isTrusted = (address: Address): boolean => trusted.some(
    ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
  )
  return (peer, forwardedFor) => {
    const isPlain = !peer.includes(':')
    if (isPlain && (trusted.length === 0 || forwardedFor === undefined)) return peer
    let client = parse(peer)
    if (client === undefined) return peer
    const hops = trusted.length === 0 ? [] : forwardedFor?.split(',') ?? []
    for (let at = hops.length - 1; at >= 0 && isTrusted(client); at--) {
      const hop: Address | undefined = parse(hops[at]?.trim() ?? '')
      // Proxies also write "unknown"; then the last hop that is an address has to do.
      if (hop === undefined) break
      client = hop
    }
    return client.toString()
  }
}
