/** The era before 2026-07-28: a handshake, then requests that say no more than a version. */
import type { InitializeResult } from '@modelcontextprotocol/sdk/types.js'
import type { Era } from './eras.ts'
import {
  CAPABILITIES, instructions, invalidParams, serverInfo, toolCaller, toolLister, type Answer,
  type Method, type MethodDependencies,
} from './methods.ts'

/** Newest first, as the SDK has them: its types take 100 ms to load, so a test compares. */
export const HANDSHAKE_VERSIONS = [
  '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07',
] as const

export function handshakeEra(dependencies: MethodDependencies): Era {
  const empty = { result: [Buffer.from('{}')] }
  return {
    versions: HANDSHAKE_VERSIONS,
    methods: new Map<string, Method>([
      ['initialize', initializer(dependencies)],
      ['ping', () => empty],
      ['tools/list', toolLister(dependencies.tools.list)],
      ['tools/call', toolCaller(dependencies, {})],
    ]),
    unknownMethodStatus: 200,
    // These revisions say that a lost connection is no cancellation.
    isCancelledByDisconnect: false,
  }
}

/** Answers with the version that was asked for, or with the newest one. */
function initializer({ serverVersion, publicUrl }: MethodDependencies): Method {
  const [latest] = HANDSHAKE_VERSIONS
  const answers = new Map<unknown, Answer>()
  for (const protocolVersion of HANDSHAKE_VERSIONS) {
    const result: InitializeResult = {
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(serverVersion),
      instructions: instructions(publicUrl),
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
