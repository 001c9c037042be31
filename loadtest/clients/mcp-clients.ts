/** The MCP clients that are tried: official SDKs, and frameworks with schemas of their own. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import project from '../../package.json' with { type: 'json' }
import { ourProgram, programOf, pythonWith, type Bench } from './bench.ts'
import { buildRust } from './rust.ts'
import type { Subject } from './subject.ts'
import { pinned, VERSIONS } from './versions.ts'

const python = (program: string, packages: readonly string[]) =>
  async (bench: Bench): Promise<string[]> =>
    // Without compiled copies beside the programs.
    [await pythonWith(bench, packages), '-B', ourProgram('mcp', program)]

/** Both are development dependencies of this project. */
const javaScript = (sdk: string) => async (): Promise<string[]> =>
  [process.execPath, ourProgram('mcp', 'sdk.mjs'), sdk]

async function go(bench: Bench): Promise<string[]> {
  const tool = programOf('go')
  await cp(ourProgram('mcp', 'client.go'), join(bench.folder, 'main.go'))
  await bench.run(tool, ['mod', 'init', 'agentmall.test/mcp'])
  await bench.fetch(tool, ['get', `github.com/modelcontextprotocol/go-sdk@v${VERSIONS['go-sdk']}`])
  await bench.fetch(tool, ['mod', 'tidy'])
  const built = join(bench.folder, 'client')
  await bench.run(tool, ['build', '-o', built, '.'])
  return [built]
}

const rust = (bench: Bench): Promise<string[]> => buildRust(bench, {
  name: 'mcp-client', main: ourProgram('mcp', 'client.rs'),
  dependencies: `rmcp = { version = "=${VERSIONS.rmcp}", features = [
  "client", "transport-streamable-http-client-reqwest",
] }`,
})

export const MCP_CLIENTS: readonly Subject[] = [
  { name: 'mcp-python', version: VERSIONS.mcp, compile: python('python_mcp.py', pinned('mcp')) },
  {
    name: 'mcp-openai-agents', version: VERSIONS['openai-agents'],
    compile: python('openai_agents.py', pinned('openai-agents', 'mcp')),
  },
  {
    name: 'mcp-google-genai', version: VERSIONS['google-genai'],
    compile: python('google_genai.py', pinned('google-genai', 'mcp')),
  },
  {
    name: 'mcp-sdk', version: project.devDependencies['@modelcontextprotocol/client'],
    compile: javaScript('client'),
  },
  {
    name: 'mcp-sdk-1', version: project.dependencies['@modelcontextprotocol/sdk'],
    compile: javaScript('sdk'),
  },
  { name: 'mcp-go', version: VERSIONS['go-sdk'], compile: go },
  { name: 'mcp-rust', version: VERSIONS.rmcp, compile: rust, wordsFor401: 'Auth required' },
]
