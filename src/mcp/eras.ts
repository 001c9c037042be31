/**
 * Revisions that talk in the same way form an era. All eras share one address and one framing;
 * an era is its revisions, its method table and what HTTP has to say beside the message.
 */
import type { InitializeResult } from '@modelcontextprotocol/sdk/types.js'
import type { HttpRequest } from '../contract/http.ts'
import {
  type Answer, capabilitiesOf, instructions, invalidParams, lister, type RpcMethod,
  type MethodDependencies, type Methods, serverInfo, stamped, toolCaller,
} from './methods.ts'
import { eventMethods } from './events.ts'
import {
  HEADER_MISMATCH, INVALID_PARAMS, type RpcError, type RpcRequest, UNSUPPORTED_VERSION,
} from './rpc.ts'

/** Newest first, as the SDK has them: its types take 100 ms to load, so a test compares. */
export const HANDSHAKE_VERSIONS = [
  '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07',
] as const
export const MODERN_VERSIONS = ['2026-07-28'] as const

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'

/** Tools change only with a release, and are the same for everybody. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' }

/** The metadata by which a request of the newer revisions names its revision. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** The revision of a client that names none. */
const ASSUMED_VERSION = '2025-03-26'

const PLAIN = /^[\t\x20-\x7e]*$/
const PADDED = /^[\t ]|[\t ]$/
const PADDING = /^[\t ]+|[\t ]+$/g
const ENCODED = /^=\?base64\?(.*)\?=$/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a check reads. */
type Headed = Pick<HttpRequest, 'header'>

export interface Era {
  readonly versions: readonly string[]
  readonly methods: Methods
  readonly unknownMethodStatus: number
  /** Whether a call that has not begun is cancelled when its client disconnects. */
  readonly isCancelledByDisconnect: boolean
  /** What is wrong around the method: its answer is HTTP 400. */
  check?(message: RpcRequest, request: Headed): RpcError | undefined
}

export type EraChoice = { readonly era: Era } | { readonly error: RpcError }

export interface Eras {
  readonly versions: readonly string[]
  /** The era of a message, by the revision that its metadata or its HTTP header names. */
  of(header: string | undefined, message: { method?: string, params?: unknown }): EraChoice
}

/** The reserved metadata of a request; undefined where there is none. */
export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = (params as { _meta?: unknown } | null | undefined)?._meta
  return isRecord(meta) ? meta : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** HTTP's optional whitespace, which is no part of a header's value. */
const trimmed = (value: string | undefined): string | undefined =>
  (value !== undefined && PADDED.test(value) ? value.replace(PADDING, '') : value)

export function createEras(eras: readonly Era[]): Eras {
  const byVersion = new Map<unknown, Era>()
  for (const era of eras) for (const version of era.versions) byVersion.set(version, era)
  const versions = [...byVersion.keys()] as string[]
  const assumed = byVersion.get(ASSUMED_VERSION) as Era
  const named = (version: string): EraChoice => {
    const era = byVersion.get(version)
    return era ? { era } : { error: unsupportedVersion(versions, version) }
  }
  return {
    versions,
    of(header, { method, params }) {
      const claim = metaOf(params)?.[VERSION_KEY]
      // The handshake negotiates in its params. Under a later revision it is a method like any.
      if (method === 'initialize' && (byVersion.get(claim) ?? assumed) === assumed) {
        return { era: assumed }
      }
      const version = trimmed(header)
      if (claim === undefined) return version === undefined ? { era: assumed } : named(version)
      if (typeof claim !== 'string') return { error: CLAIM_IS_NO_STRING }
      if (version !== undefined && version !== claim) return { error: VERSIONS_DIFFER }
      return named(claim)
    },
  }
}

const CLAIM_IS_NO_STRING: RpcError = {
  code: INVALID_PARAMS, message: `params._meta["${VERSION_KEY}"] must be a string.`,
}
const VERSIONS_DIFFER: RpcError = {
  code: HEADER_MISMATCH,
  message: `MCP-Protocol-Version must be the same as params._meta["${VERSION_KEY}"].`,
}

/** The requested revision is the caller's text: shown back only if it looks like one. */
const unsupportedVersion = (supported: readonly string[], requested: string): RpcError => ({
  code: UNSUPPORTED_VERSION,
  message: `The protocol version must be one of ${supported.join(', ')}.`,
  data: { supported, requested: /^[\w.-]{1,32}$/.test(requested) ? requested : 'unknown' },
})

/** The era before 2026-07-28: a handshake, then requests that name no more than a version. */
export function handshakeEra(dependencies: MethodDependencies): Era {
  const empty = { result: [Buffer.from('{}')] }
  return {
    versions: HANDSHAKE_VERSIONS,
    methods: new Map<string, RpcMethod>([
      ['initialize', initializer(dependencies)],
      ['ping', () => empty],
      ['tools/list', lister(dependencies.tools.list)],
      ['tools/call', toolCaller(dependencies, {})],
      ...eventMethods(dependencies, {}),
    ]),
    unknownMethodStatus: 200,
    // These revisions say that a lost connection is no cancellation.
    isCancelledByDisconnect: false,
  }
}

/** Answers with the version that was asked for, or with the newest one. */
function initializer(dependencies: MethodDependencies): RpcMethod {
  const [latest] = HANDSHAKE_VERSIONS
  const answers = new Map<unknown, Answer>()
  for (const protocolVersion of HANDSHAKE_VERSIONS) {
    const result: InitializeResult = {
      protocolVersion,
      capabilities: capabilitiesOf(dependencies),
      serverInfo: serverInfo(dependencies.serverVersion),
      instructions: instructions(dependencies),
    }
    answers.set(protocolVersion, { result: [Buffer.from(JSON.stringify(result))] })
  }
  return ({ protocolVersion }) => {
    if (typeof protocolVersion !== 'string') {
      return invalidParams('params.protocolVersion must be a string.')
    }
    return answers.get(protocolVersion) ?? answers.get(latest) as Answer
  }
}

/** Revision 2026-07-28: no handshake; the metadata of each request names what it speaks. */
export function modernEra(dependencies: MethodDependencies): Era {
  const { tools, serverVersion } = dependencies
  const stamp = {
    resultType: 'complete', _meta: { [SERVER_INFO_KEY]: serverInfo(serverVersion) },
  }
  const discovered = {
    result: [stamped({
      supportedVersions: [...MODERN_VERSIONS, ...HANDSHAKE_VERSIONS],
      capabilities: capabilitiesOf(dependencies),
      instructions: instructions(dependencies),
      ...CACHED,
    }, stamp)],
  }
  const list = stamped({ ...JSON.parse(tools.list.toString()), ...CACHED }, stamp)
  return {
    versions: MODERN_VERSIONS,
    methods: new Map<string, RpcMethod>([
      ['server/discover', () => discovered],
      ['tools/list', lister(list)],
      ['tools/call', toolCaller(dependencies, stamp)],
      ...eventMethods(dependencies, stamp),
    ]),
    unknownMethodStatus: 404,
    isCancelledByDisconnect: true,
    check: (message, request) => checkMetadata(message) ?? checkHeaders(message, request),
  }
}

/** The client's name is not required, and nothing here needs any of its capabilities. */
function checkMetadata({ params }: RpcRequest): RpcError | undefined {
  const meta = metaOf(params) ?? {}
  const missing = [
    ...(typeof meta[VERSION_KEY] === 'string' ? [] : [VERSION_KEY]),
    ...(isRecord(meta[CAPABILITIES_KEY]) ? [] : [CAPABILITIES_KEY]),
  ]
  if (missing.length === 0) return undefined
  const message = `params._meta must have ${missing.join(' and ')}.`
  return { code: INVALID_PARAMS, message, data: { missing } }
}

/**
 * What stands between a client and this server may route and limit by these headers, so they must
 * not say anything else than the body does.
 */
function checkHeaders({ method, params }: RpcRequest, request: Headed): RpcError | undefined {
  if (request.header('mcp-protocol-version') === undefined) {
    return mismatch('MCP-Protocol-Version', `params._meta["${VERSION_KEY}"]`)
  }
  if (trimmed(request.header('mcp-method')) !== method) return mismatch('Mcp-Method', 'method')
  const { name } = params as { name?: unknown }
  if (method !== 'tools/call' || typeof name !== 'string') return undefined
  return headerText(request.header('mcp-name')) === name
    ? undefined : mismatch('Mcp-Name', 'params.name')
}

const mismatch = (name: string, member: string): RpcError => ({
  code: HEADER_MISMATCH,
  message: `The header ${name} is required and must be the same as ${member} in the body.`,
  data: { header: name },
})

/**
 * Text of a header that mirrors the body: plain, or in Base64 where a header cannot hold it.
 * Undefined where the header is missing or holds what no client may send.
 */
export function headerText(value: string | undefined): string | undefined {
  const text = trimmed(value)
  if (text === undefined || !PLAIN.test(text)) return undefined
  const [, encoded] = ENCODED.exec(text) ?? []
  if (encoded === undefined) return text
  const bytes = Buffer.from(encoded, 'base64')
  // Node skips what is not Base64: two spellings of one value would be two values to a proxy.
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
