/**
 * Revisions that talk in the same way form an era. All eras share one address and one framing;
 * an era is its revisions, its method table and how HTTP answers a method it does not have.
 */
import type { Methods } from './methods.ts'
import { UNSUPPORTED_VERSION, type RpcError } from './rpc.ts'

export interface Era {
  readonly versions: readonly string[]
  readonly methods: Methods
  readonly unknownMethodStatus: number
}

/** Newest first, as the SDK has them: its types take 100 ms to load, so a test compares. */
export const HANDSHAKE_VERSIONS = [
  '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07',
] as const

/** What a client speaks that sends no MCP-Protocol-Version. */
const ASSUMED_VERSION = '2025-03-26'

/** Revisions before 2026-07-28: a handshake, then requests that say no more than a version. */
export const handshakeEra = (methods: Methods): Era =>
  ({ versions: HANDSHAKE_VERSIONS, methods, unknownMethodStatus: 200 })

export interface Eras {
  readonly versions: readonly string[]
  /** The era of a message; undefined when the header names a revision that no era has. */
  of(header: string | undefined, method: string | undefined): Era | undefined
}

export function createEras(eras: readonly Era[]): Eras {
  const byVersion = new Map<string, Era>()
  for (const era of eras) for (const version of era.versions) byVersion.set(version, era)
  return {
    versions: [...byVersion.keys()],
    of(header, method) {
      // The handshake negotiates in its body: the header binds only what follows it.
      if (header === undefined || method === 'initialize') return byVersion.get(ASSUMED_VERSION)
      return byVersion.get(header.trim())
    },
  }
}

/** The requested revision is the caller's text: shown back only if it looks like one. */
export const unsupportedVersion = (eras: Eras, requested: string | undefined): RpcError => ({
  code: UNSUPPORTED_VERSION,
  message: `MCP-Protocol-Version must be one of ${eras.versions.join(', ')}.`,
  data: {
    supported: eras.versions,
    requested: /^\d{4}-\d{2}-\d{2}$/.test(requested ?? '') ? requested : 'unknown',
  },
})
