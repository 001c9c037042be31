/** Revision 2026-07-28: no handshake; each request says in its metadata what it speaks. */
import { stamped } from './calls.ts'
import { isRecord, metaOf, trimmed, VERSION_KEY, type Era, type Headed } from './eras.ts'
import { headerText } from './header-text.ts'
import { HANDSHAKE_VERSIONS } from './handshake.ts'
import {
  CAPABILITIES, instructions, serverInfo, toolCaller, toolLister, type Method,
  type MethodDependencies,
} from './methods.ts'
import { HEADER_MISMATCH, INVALID_PARAMS, type RpcError, type RpcRequest } from './rpc.ts'

export const MODERN_VERSIONS = ['2026-07-28'] as const

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'

/** Tools change only with a release, and are the same for everybody. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' }

export function modernEra(dependencies: MethodDependencies): Era {
  const { tools, serverVersion, publicUrl } = dependencies
  const stamp = {
    resultType: 'complete', _meta: { [SERVER_INFO_KEY]: serverInfo(serverVersion) },
  }
  const discovered = {
    result: [stamped({
      supportedVersions: [...MODERN_VERSIONS, ...HANDSHAKE_VERSIONS],
      capabilities: CAPABILITIES,
      instructions: instructions(publicUrl),
      ...CACHED,
    }, stamp)],
  }
  const list = stamped({ ...JSON.parse(tools.list.toString()), ...CACHED }, stamp)
  return {
    versions: MODERN_VERSIONS,
    methods: new Map<string, Method>([
      ['server/discover', () => discovered],
      ['tools/list', toolLister(list)],
      ['tools/call', toolCaller(dependencies, stamp)],
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
