/**
 * Revisions that talk in the same way form an era. All eras share one address and one framing;
 * an era is its revisions, its method table and what HTTP has to say beside the message.
 */
import type { HttpRequest } from '../contract/http.ts'
import type { Methods } from './methods.ts'
import {
  HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, type RpcError, type RpcRequest,
} from './rpc.ts'

/** What a check may look at. */
export type Headed = Pick<HttpRequest, 'header'>

export interface Era {
  readonly versions: readonly string[]
  readonly methods: Methods
  readonly unknownMethodStatus: number
  /** Whether a client that goes away takes back what has not begun. */
  readonly isCancelledByDisconnect: boolean
  /** What is wrong around the method: its answer is HTTP 400. */
  check?(message: RpcRequest, request: Headed): RpcError | undefined
}

export type Choice = { readonly era: Era } | { readonly error: RpcError }

export interface Eras {
  readonly versions: readonly string[]
  /** The era of a message, by the revision that its metadata or its HTTP header names. */
  of(header: string | undefined, message: { method?: string, params?: unknown }): Choice
}

/** Where a request of the newer revisions says what it speaks, whatever else it says. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** What a client speaks that names no revision anywhere. */
const ASSUMED_VERSION = '2025-03-26'

/** The reserved metadata of a request; undefined where there is none. */
export function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = (params as { _meta?: unknown } | null | undefined)?._meta
  return isRecord(meta) ? meta : undefined
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** HTTP's optional whitespace, which is no part of a header's value. */
export const trimmed = (value: string | undefined): string | undefined =>
  value?.replace(/^[\t ]+|[\t ]+$/g, '')

export function createEras(eras: readonly Era[]): Eras {
  const byVersion = new Map<unknown, Era>()
  for (const era of eras) for (const version of era.versions) byVersion.set(version, era)
  const versions = [...byVersion.keys()] as string[]
  const assumed = byVersion.get(ASSUMED_VERSION) as Era
  const named = (version: string): Choice => {
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
