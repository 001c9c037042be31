/** The folder in which a client is made and run, and the commands that run there. */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheDir } from '../../src/config.ts'

/** Something is not on this machine and cannot be fetched: nothing can be said about the client. */
export class NotRun extends Error {}

/** What a program printed, and why it ended early if it did. */
export interface Ending {
  readonly output: string
  readonly failure?: string
}

export interface Bench {
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

export async function createBench(name: string): Promise<Bench> {
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
export async function pythonWith(bench: Bench, packages: readonly string[]): Promise<string> {
  const folder = folderOf('python', packages)
  const python = join(folder, 'bin', 'python')
  await once(folder, async () => {
    await bench.fetch(programOf('python3'), ['-m', 'venv', '--clear', folder])
    await bench.fetch(python, ['-m', 'pip', 'install', '--quiet', ...packages])
  })
  return python
}

/** A `node_modules` that has these packages. */
export async function nodeModulesWith(bench: Bench, packages: readonly string[]): Promise<string> {
  const folder = folderOf('npm', packages)
  await once(folder, async () => {
    await bench.fetch(programOf('npm'), ['install', '--prefix', folder, '--no-audit', '--no-fund',
      '--ignore-scripts', '--loglevel=error', ...packages])
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
