/**
 * Checkers of UCP that others wrote: the reference client and its Node (npm), a conformance runner
 * and the published models (PyPI). They are installed when a test asks for them, and kept in the
 * cache folder.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDir } from '../config.ts'
import type { TestPlatform } from './ucp.ts'

const run = promisify(execFile)

const CLI = '@shopify/ucp-cli@0.9.0'
/** The client asks for a newer Node than the service. */
const NODE = `node-${process.platform}-${process.arch}@22.22.0`
const PYTHON = ['spck-conformance==0.4.0', 'ucp-sdk==0.4.6']
const INSTALL_MS = 300_000
const RUN_MS = 240_000
const OUTPUT_BYTES_MAX = 64_000_000

/** The profile that the conformance runner names, which nobody serves on this machine. */
const RUNNER_PROFILE = 'https://spck.dev/agent'

const PROFILE = '/.well-known/ucp'
/** Headers of answers that the runner looks at. */
const PASSED = [
  'content-type', 'cache-control', 'content-digest', 'signature', 'signature-input', 'retry-after',
  'www-authenticate',
] as const

export interface Checkers {
  /** One command of the client against a business; its parsed answer. */
  // Tests look into whatever came back.
  client(words: readonly string[]): Promise<any> // oxlint-disable-line typescript/no-explicit-any
  /** Runs every check that applies to what the server declares. */
  conformance(server: string, config: object): Promise<readonly CheckedCase[]>
  /** What the published models refuse, each as `model: problem`. */
  problems(documents: readonly { model: string, value: unknown }[]): Promise<string[]>
  close(): Promise<void>
}

export interface CheckedCase {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly reason: string
}

export async function installCheckers(platform: TestPlatform): Promise<Checkers> {
  const folder = join(cacheDir(), 'ucp-checkers')
  const python = join(folder, 'python')
  await mkdir(folder, { recursive: true })
  const options = { timeout: INSTALL_MS, maxBuffer: OUTPUT_BYTES_MAX }
  if (!existsSync(join(folder, 'node_modules/@shopify/ucp-cli'))) {
    await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund',
      CLI, NODE], options)
  }
  if (!existsSync(join(python, 'bin/spck-conformance'))) {
    await run('python3', ['-m', 'venv', python], options)
    await run(join(python, 'bin/pip'), ['install', '--quiet', ...PYTHON], options)
  }
  const home = await mkdtemp(join(tmpdir(), 'agentmall-ucp-'))
  const client = clientOf(folder, home)
  await client(['profile', 'init', '--name', 'test', '--version', '2026-04-08',
    '--profile-url', `${platform.url}/`, '--activate'])
  return {
    client,
    conformance: (server, config) => conformance(python, home, server, config),
    problems: (documents) => problems(python, home, documents),
    close: () => rm(home, { recursive: true, force: true }),
  }
}

function clientOf(folder: string, home: string): Checkers['client'] {
  const [name = ''] = NODE.split('@')
  const node = join(folder, 'node_modules', name, 'bin/node')
  const bin = join(folder, 'node_modules/@shopify/ucp-cli/dist/bin.js')
  return async (words) => {
    const { stdout } = await run(node, [bin, ...words, '--format', 'json'], {
      timeout: RUN_MS, maxBuffer: OUTPUT_BYTES_MAX,
      env: {
        PATH: process.env['PATH'], HOME: home, UCP_HOME: join(home, '.ucp'),
        UCP_TEST_ALLOW_INSECURE_LOCALHOST: 'true',
      },
    }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
    return JSON.parse(stdout)
  }
}

const CASE = /<testcase [^>]*name="([^"]*)">(.*?)<\/testcase>/gs

async function conformance(
  python: string, home: string, server: string, config: object,
): Promise<readonly CheckedCase[]> {
  const [settings, report] = [join(home, 'merchant.json'), join(home, 'report.xml')]
  await writeFile(settings, JSON.stringify(config))
  // A deviation is its exit code 2: the report has them.
  await run(join(python, 'bin/spck-conformance'),
    ['--server', server, '--config', settings, '--junit', report],
    { timeout: RUN_MS, maxBuffer: OUTPUT_BYTES_MAX }).catch((error: { code?: unknown }) => {
    if (error.code !== 2) throw error
  })
  return [...(await readFile(report, 'utf8')).matchAll(CASE)].map(([, name = '', body = '']) => ({
    name: name.replace(/ \(.*/, ''),
    outcome: body.includes('<failure') ? 'failed'
      : body.includes('<skipped') ? 'skipped' : 'passed',
    reason: /message="([^"]*)"/.exec(body)?.[1] ?? '',
  }))
}

/** `module:Class` below the models of the package. */
const VALIDATE = `
import importlib, json, sys
from pydantic import TypeAdapter, ValidationError
found = []
for document in json.load(open(sys.argv[1])):
    module, name = document["model"].split(":")
    model = getattr(importlib.import_module("ucp_sdk.models.schemas." + module), name)
    try:
        TypeAdapter(model).validate_python(document["value"])
    except ValidationError as error:
        found += [f'{name} {one["loc"]}: {one["msg"]}' for one in error.errors()]
print(json.dumps(found))
`

async function problems(
  python: string, home: string, documents: readonly { model: string, value: unknown }[],
): Promise<string[]> {
  const file = join(home, 'documents.json')
  await writeFile(file, JSON.stringify(documents))
  const { stdout } = await run(join(python, 'bin/python'), ['-c', VALIDATE, file],
    { timeout: RUN_MS, maxBuffer: OUTPUT_BYTES_MAX })
  return JSON.parse(stdout) as string[]
}

/** A receiver that goods can be sent to: the runner knows one country, and it is another. */
const FULFILLMENT = { methods: [{
  type: 'shipping',
  destinations: [{
    id: 'd1', street_address: '文三路 1 号', address_locality: '杭州市西湖区',
    address_region: '浙江省', address_country: 'CN', first_name: '三', last_name: '张',
    phone_number: '13800001234',
  }],
  selected_destination_id: 'd1',
}] }

/**
 * Between the runner and a node: it adds a key and an address, which the runner cannot be told,
 * names a profile that is served, and is where the public address of the node leads.
 */
export async function openRunnerProxy(
  { node, publicUrl, key, platform }: {
    node: string, publicUrl: string, key: string, platform: TestPlatform,
  },
): Promise<{ url: string, close(): void }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part)).on('end', () => {
      void pass(request.method ?? 'GET', request.url ?? '/', Buffer.concat(parts).toString(),
        request.headers['ucp-agent'], request.headers['idempotency-key'])
        .then(({ status, headers, text }) => { response.writeHead(status, headers).end(text) })
    })
  })
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done) })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function pass(
    method: string, path: string, given: string, agent: unknown, idempotencyKey: unknown,
  ): Promise<{ status: number, headers: Record<string, string>, text: string }> {
    const served = (text: string): string => text.replaceAll(RUNNER_PROFILE, `${platform.url}/`)
    const answer = await fetch(node + path, {
      method,
      headers: {
        'Content-Type': 'application/json', Authorization: `Bearer ${key}`,
        ...(typeof agent === 'string' && { 'UCP-Agent': served(agent) }),
        ...(typeof idempotencyKey === 'string' && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(given !== '' && { body: withAddress(method, path, served(given)) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: Object.fromEntries(PASSED.flatMap((name) => {
        const value = answer.headers.get(name)
        return value === null ? [] : [[name, value]]
      })),
      // Signed answers name no address of the service's below this.
      text: path === PROFILE ? text.replaceAll(`${publicUrl}/ucp`, `${url}/ucp`) : text,
    }
  }
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function withAddress(method: string, path: string, text: string): string {
  if (!/^\/ucp\/checkout-sessions(\/\w+)?$/.test(path) || method === 'GET') return text
  const body = JSON.parse(text) as { fulfillment?: { methods?: object[] } }
  const [given] = body.fulfillment?.methods ?? []
  const [method1] = FULFILLMENT.methods
  return JSON.stringify({ ...body, fulfillment: { methods: [{ ...given, ...method1 }] } })
}
