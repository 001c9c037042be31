/** A client that orders: the folder in which it is made and run, and what is found of it. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheDir } from '../../src/config.ts'
import { type Cells, judgeGenerated, judgeMcp, observe, type Row } from './report.ts'

export interface TriedClient {
  readonly name: string
  readonly version: string
  /** Makes a client of the OpenAPI document; absent where nothing is generated. */
  generate?(workspace: Workspace, document: string): Promise<void>
  /** Compiles the program with its client; the command that takes URL and KEY. */
  compile(workspace: Workspace): Promise<readonly string[]>
  /** What the client says of any 401, where it does not show the answer. */
  readonly wordsFor401?: string
}

/** The node that the clients call, without a trailing slash, and a key. */
interface Service {
  readonly url: string
  readonly key: string
}

const ASKED_MS_MAX = 10_000

export async function tryClient(
  client: TriedClient, service: Service,
  openWorkspace: (name: string) => Promise<Workspace> = createWorkspace,
): Promise<Row> {
  const { name, version } = client
  const cells: Record<string, Cells[string]> = {}
  const workspace = await openWorkspace(name)
  try {
    await runStages(client, service, workspace, cells)
    return { name, version, cells }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return error instanceof NotRun ? { name, version, cells, notRun: reason }
      : { name, version, cells, failure: `${reason} (${workspace.log})` }
  }
}

/** Fills the cells as it goes, so that a failure leaves those before it. */
async function runStages(
  { generate, compile, wordsFor401 }: TriedClient, { url, key }: Service, workspace: Workspace,
  cells: Record<string, Cells[string]>,
): Promise<void> {
  if (generate) {
    await generate(workspace, `${url}/openapi.json`)
    cells['generates'] = { text: 'yes', isRight: true }
  }
  const command = await compile(workspace)
  if (generate) cells['compiles'] = { text: 'yes', isRight: true }
  const address = generate ? `${url}/v1` : url
  const { output, failure } = await workspace.runToEnd([...command, address, key])
  const said = observe(output)
  const isKnown = await hasOrder(said.first('order'), { url, key })
  Object.assign(cells, generate ? judgeGenerated(said, isKnown)
    : judgeMcp(said, isKnown, wordsFor401))
  if (failure !== undefined) throw new Error(failure)
}

async function hasOrder(orderNo: string, { url, key }: Service): Promise<boolean> {
  if (orderNo === '') return false
  const answer = await fetch(`${url}/v1/orders/${encodeURIComponent(orderNo)}`, {
    headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(ASKED_MS_MAX),
  })
  return answer.ok
}

/** Something is not on this machine and cannot be fetched: nothing can be said about the client. */
export class NotRun extends Error {}

/** What a program printed, and why it ended early if it did. */
export interface Ending {
  readonly output: string
  readonly failure?: string
}

export interface Workspace {
  readonly folder: string
  readonly log: string
  /** Its output; rejects with its last lines. */
  run(program: string, args: readonly string[], cwd?: string): Promise<string>
  /** The same for what comes over the network: its failure is a NotRun. */
  fetch(program: string, args: readonly string[], cwd?: string): Promise<string>
  runToEnd(command: readonly string[]): Promise<Ending>
}

/** A first build of a Rust client takes minutes on a small machine. */
const RUN_MS_MAX = 1_200_000
const FIND_MS_MAX = 5000
const REASON_LENGTH_MAX = 300
/** Where installers put these without telling every shell. */
const PLACES = '/usr/local/go/bin:$HOME/.cargo/bin'

export const cacheFolder = (...names: string[]): string => join(cacheDir(), 'clients', ...names)

/** A file of `programs`. */
export const ourProgram = (...names: string[]): string =>
  join(fileURLToPath(new URL('programs', import.meta.url)), ...names)

async function createWorkspace(name: string): Promise<Workspace> {
  const folder = cacheFolder('work', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const log = join(folder, 'log.txt')
  const runToEnd = async ([program = '', ...args]: readonly string[], cwd = folder) => {
    const ending = await end(program, args, cwd)
    await appendFile(log, `$ ${[program, ...args].join(' ')}\n${ending.printed}\n`)
    return ending
  }
  const runOr = (Kind: new (message: string) => Error) =>
    async (program: string, args: readonly string[], cwd?: string): Promise<string> => {
      const { output, failure } = await runToEnd([program, ...args], cwd)
      if (failure !== undefined) throw new Kind(failure)
      return output
    }
  return { folder, log, run: runOr(Error), fetch: runOr(NotRun), runToEnd }
}

const end = (program: string, args: readonly string[], cwd: string) =>
  new Promise<Ending & { printed: string }>((resolve) => {
    execFile(program, args, {
      cwd, timeout: RUN_MS_MAX, killSignal: 'SIGKILL', maxBuffer: 1 << 26,
    }, (error, output, complaints) => {
      const printed = `${output}${complaints}`
      resolve({ output, printed, ...(error && { failure: reasonOf(complaints, output, error) }) })
    })
  })

/** The line that says why: compilers and package tools mark it, or it is the last one. */
export function reasonOf(complaints: string, output: string, error: Error): string {
  const lines = `${output}\n${complaints}`.split('\n').map((line) => line.trim()).filter(Boolean)
  const marked = lines.find((line) => /\berror\b|exception\b|panicked/i.test(line))
  return (marked ?? lines.at(-1) ?? error.message).slice(0, REASON_LENGTH_MAX)
}

/** Where a program is; a NotRun where it is not. */
export function programOf(name: string): string {
  const { stdout } = spawnSync('sh', ['-c', `PATH="$PATH:${PLACES}" command -v "$0"`, name], {
    encoding: 'utf8', timeout: FIND_MS_MAX,
  })
  const found = stdout.trim()
  if (!found) throw new NotRun(`${name} is not installed`)
  return found
}

/** The Python of an environment of its own that has these packages. */
export async function pythonWith(
  workspace: Workspace, packages: readonly string[],
): Promise<string> {
  const folder = folderOf('python', packages)
  const python = join(folder, 'bin', 'python')
  await once(folder, async () => {
    await workspace.fetch(programOf('python3'), ['-m', 'venv', '--clear', folder])
    await workspace.fetch(python, ['-m', 'pip', 'install', '--quiet', ...packages])
  })
  return python
}

/** A `node_modules` that has these packages. */
export async function nodeModulesWith(
  workspace: Workspace, packages: readonly string[],
): Promise<string> {
  const folder = folderOf('npm', packages)
  await once(folder, async () => {
    await workspace.fetch(programOf('npm'), ['install', '--prefix', folder, '--no-audit',
      '--no-fund', '--ignore-scripts', '--loglevel=error', ...packages])
  })
  return join(folder, 'node_modules')
}

const folderOf = (kind: string, packages: readonly string[]): string =>
  cacheFolder(`${kind}-${createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)}`)

/** Makes the folder unless it was made to the end before. */
async function once(folder: string, make: () => Promise<void>): Promise<void> {
  const done = join(folder, 'complete')
  if (existsSync(done)) return
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await make()
  await writeFile(done, '')
}
