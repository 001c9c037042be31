/**
 * Documents at addresses that callers named. They come from public addresses over TLS alone: a name
 * is resolved for each connection, and the connection goes to an address that was checked. In the
 * sandbox of a node on loopback they may come from loopback, too.
 */
import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import type { Config } from './config.ts'

export interface OutboundDocument {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
}

export interface OutboundOptions {
  readonly allowsLoopback: boolean
  /** Of names; tests give another. */
  readonly resolveAll?: (name: string) => Promise<readonly LookupAddress[]>
  readonly deadlineMs?: number
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
const URL_LENGTH_MAX = 2048
const IDLE_MS = 4000
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
      connections: 8, pipelining: 1,
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
        body: await bodyOf(answer.body, bytesMax),
      }
    } catch (error) {
      const [refused] = [error, (error as Error).cause]
        .filter((one) => one instanceof OutboundError)
      throw refused ?? new OutboundError('unreachable', 'There was no answer in time.', error)
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

async function bodyOf(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytesMax) throw new OutboundError('unreachable', 'The document is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
