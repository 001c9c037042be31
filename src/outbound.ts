/**
 * Requests to addresses that callers named: documents that are read, and messages that are posted.
 * They go to public addresses over TLS alone: a name is resolved for each connection, and the
 * connection goes to an address that was checked. In the sandbox of a node on loopback they may go
 * to loopback, too.
 */
import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import type { Config } from './config.ts'
import { monotonicMs } from './contract/time.ts'

export interface OutboundDocument {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
}

export interface OutboundAnswer {
  /** Null where no answer came. */
  readonly status: number | null
  readonly ms: number
  /** What it begins with, as text. */
  readonly text: string
  /** Why no answer came, in our own words. */
  readonly problem?: string
}

export interface OutboundOptions {
  readonly allowsLoopback: boolean
  /** Of names; tests give another. */
  readonly resolveAll?: (name: string) => Promise<readonly LookupAddress[]>
  readonly deadlineMs?: number
  /** Connections to one host and port; null where callers bound what is under way themselves. */
  readonly connections?: number | null
}

/** Why there is no document: its address may not be asked, or gave no answer within the bounds. */
export class OutboundError extends Error {
  readonly kind: 'address' | 'unreachable'

  constructor(kind: OutboundError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.kind = kind
  }
}

const NOT_PUBLIC = new OutboundError('address', 'The name leads to no public address.')
const DEADLINE_MS = 3000
/** Of what is posted a status is an answer: the rest of it is not waited for. */
const BODY_MS = 1000
const BODY_BYTES_MAX = 1024
const URL_LENGTH_MAX = 2048
const TOO_LATE = 'no answer in time'
const IDLE_MS = 4000
const CONNECTIONS_MAX = 8
/** Every public IPv6 address; what is outside of it leads to IPv4 or to nobody. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const LOCAL_NAME = /^(.*\.)?localhost\.?$/i

export const allowsLoopback = ({ sandbox, host }: Pick<Config, 'sandbox' | 'host'>): boolean =>
  sandbox && (host === 'localhost' || isLoopback(host))

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Whether everybody can reach it; an IPv4 address inside of IPv6 counts as what it is. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6)
}

/** What is wrong with an address that a caller named; undefined where nothing is. */
export function urlProblem(
  text: string, { allowsLoopback: isLocalAllowed }: Pick<OutboundOptions, 'allowsLoopback'>,
): string | undefined {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not have a user or a password'
  if (url.hash !== '') return 'must not have a fragment'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isLiteral = ipaddr.isValid(host)
  const isLocal = isLiteral ? isLoopback(host) : LOCAL_NAME.test(host)
  if (isLocal && isLocalAllowed) {
    return ['http:', 'https:'].includes(url.protocol) ? undefined : 'must be http or https'
  }
  if (url.protocol !== 'https:') return 'must begin with https://'
  return isLocal || (isLiteral && !isPublicAddress(host))
    ? 'must lead to a public address' : undefined
}

const resolveSystem = (name: string): Promise<readonly LookupAddress[]> =>
  new Promise((done, fail) => {
    resolve(name, { all: true, verbatim: true }, (error, addresses) => {
      if (error) fail(error)
      else done(addresses)
    })
  })

export class Outbound {
  private readonly options: OutboundOptions
  private readonly agent: Agent

  constructor(options: OutboundOptions) {
    this.options = options
    this.agent = new Agent({
      connect: { lookup: this.lookup, timeout: options.deadlineMs ?? DEADLINE_MS },
      connections: options.connections === undefined ? CONNECTIONS_MAX : options.connections,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS,
    })
  }

  /** Follows no redirection, and has an end. Rejects with an OutboundError. */
  async get(address: string, bytesMax: number): Promise<OutboundDocument> {
    const wrong = urlProblem(address, this.options)
    if (wrong !== undefined) throw new OutboundError('address', `The address ${wrong}.`)
    const { deadlineMs = DEADLINE_MS } = this.options
    try {
      const answer = await request(address, {
        dispatcher: this.agent, headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(deadlineMs),
      })
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name]].flat().join(', ') || undefined,
        body: await bodyWithin(answer.body, bytesMax),
      }
    } catch (error) {
      const [refused] = [error, (error as Error).cause]
        .filter((one) => one instanceof OutboundError)
      throw refused ?? new OutboundError('unreachable', 'There was no answer in time.', error)
    }
  }

  /** Never rejects, follows no redirection, and has an end. */
  async post(
    address: string, headers: Readonly<Record<string, string>>, body: string,
    signal?: AbortSignal,
  ): Promise<OutboundAnswer> {
    const began = monotonicMs()
    const elapsed = (): number => Math.round(monotonicMs() - began)
    const { deadlineMs = DEADLINE_MS } = this.options
    const wrong = urlProblem(address, this.options)
    if (wrong !== undefined) return { status: null, ms: 0, text: '', problem: `the url ${wrong}` }
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const answer = await request(address, {
        method: 'POST', dispatcher: this.agent, body,
        headers: { ...headers, 'content-type': 'application/json' },
        headersTimeout: deadlineMs, bodyTimeout: deadlineMs,
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      })
      const text = await beginningOf(answer.body)
      return { status: answer.statusCode, ms: elapsed(), text }
    } catch (error) {
      return { status: null, ms: elapsed(), text: '', problem: connectionProblem(error) }
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy()
  }

  /** Of a name, for one connection: it goes to what is returned here. */
  private readonly lookup: LookupFunction = async (name, options, done) => {
    const { resolveAll = resolveSystem, allowsLoopback: isLocalAllowed } = this.options
    const isAllowed = ({ address }: LookupAddress): boolean => isPublicAddress(address)
      || (isLocalAllowed && LOCAL_NAME.test(name) && isLoopback(address))
    let addresses: readonly LookupAddress[]
    try {
      addresses = await resolveAll(name)
    } catch (error) {
      return done(error as NodeJS.ErrnoException, '')
    }
    const [first] = addresses
    // One that is not allowed among others is an attack, or a mistake that looks like one.
    if (!first || !addresses.every(isAllowed)) done(NOT_PUBLIC, '')
    else if (options.all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }
}

/** Throws an OutboundError, and lets the connection go, where it is larger. */
export async function bodyWithin(
  body: AsyncIterable<Buffer>, bytesMax: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytesMax) throw new OutboundError('unreachable', 'The document is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Body extends AsyncIterable<Buffer> {
  destroy(): unknown
  on(event: 'error', listener: () => void): unknown
}

/** Reads as much as is kept, and lets the rest go with its connection. */
export async function beginningOf(body: Body): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  body.on('error', () => {})
  const timer = setTimeout(() => body.destroy(), BODY_MS)
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, BODY_BYTES_MAX - length))
      length += chunk.length
      if (length >= BODY_BYTES_MAX) break
    }
  } catch {
    // What came of it is enough.
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString().replaceAll('\u0000', '')
}

export type CallbackFailure =
  'connection_refused' | 'timeout' | 'tls_error' | 'http_4xx' | 'http_5xx' | 'challenge_failed'

/** The kind of what went wrong, and nothing of the answer; undefined where nothing did. */
export function failureOf(
  { status, problem = '' }: OutboundAnswer,
): CallbackFailure | undefined {
  if (status === null) {
    if (problem === TOO_LATE) return 'timeout'
    return /CERT|TLS|SSL/.test(problem) ? 'tls_error' : 'connection_refused'
  }
  if (status >= 400) return status < 500 ? 'http_4xx' : 'http_5xx'
  return undefined
}

/** In our own words: nothing of what was sent or answered is in it. */
export function connectionProblem(error: unknown): string {
  const { name, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (error === NOT_PUBLIC || cause === NOT_PUBLIC) {
    return 'its name leads to an address that is not public'
  }
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code ?? '')) {
    return TOO_LATE
  }
  return `no connection: ${/^[A-Z0-9_]{1,60}$/.test(code ?? '') ? code : 'failed'}`
}
