// Before the sources run: joins them into a few files of JavaScript, once for each state of them,
// in the cache folder. A process with a compiler of its own takes longer and more memory.
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync,
  utimesSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMPILER = fileURLToPath(new URL('compile-sources.mjs', import.meta.url))
const COMPILE_MS_MAX = 120_000
const PREFIX = 'build-'
const DIGEST_LENGTH = 24
/** Builds that are kept beside those that were used lately. */
const KEPT = 4
/** A process that runs for long marks its build more often: what it loads later is there then. */
const UNUSED_MS = 7_200_000
const MARK_MS = 1_800_000

const SOURCES = ['src', 'adapters', 'config']
const IS_SOURCE = /\.(ts|json|mjs)$/
const IS_OTHER = /\.test\.ts$|[\\/]testing[\\/]|^src[\\/]console[\\/]page[\\/]|^config[\\/]malls/

/** The folder that config.ts calls cacheDir. */
const defaultCache = () =>
  join(process.env.XDG_CACHE_HOME?.trim() || join(homedir(), '.cache'), 'agentmall')

/** The compiled command line of these sources; compiles them where that is not done yet. */
export async function compiledEntry(cache = defaultCache(), root = ROOT) {
  const folder = join(cache, `${PREFIX}${stateOf(root)}`)
  const entry = join(folder, 'cli.js')
  if (!existsSync(entry)) await compile(root, cache, folder)
  keepMarked(folder)
  return entry
}

/** Changes with every file that takes part, with their place and with the compiler. */
export function stateOf(root) {
  const hash = createHash('sha256').update(root).update(process.version)
  const files = SOURCES.flatMap((name) => readdirSync(join(root, name), {
    recursive: true, withFileTypes: true,
  })).filter((entry) => entry.isFile() && IS_SOURCE.test(entry.name))
    .map(({ parentPath, path, name }) => relative(root, join(parentPath ?? path, name)))
    .filter((name) => !IS_OTHER.test(name))
  for (const name of [...files, 'package.json', 'tsconfig.json'].toSorted()) {
    hash.update(`\0${name}\0`).update(readFileSync(join(root, name)))
  }
  return hash.digest('hex').slice(0, DIGEST_LENGTH)
}

/** Made elsewhere, then renamed: several processes may compile at once, and none reads half. */
async function compile(root, cache, folder) {
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    await run(COMPILER, root, draft)
    // Packages are found from there as from the sources.
    symlinkSync(join(root, 'node_modules'), join(draft, 'node_modules'), 'junction')
    const last = join(draft, 'last.js')
    if (existsSync(last)) await run(last)
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw new Error(error.stderr || error.message, { cause: error })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  removeOld(cache, folder)
}

const run = (...args) => promisify(execFile)(process.execPath, args, {
  timeout: COMPILE_MS_MAX, killSignal: 'SIGKILL',
})

function keepMarked(folder) {
  mark(folder)
  setInterval(() => mark(folder), MARK_MS).unref()
}

/** Used now. A folder that is not ours to change is not ours to remove, either. */
function mark(folder) {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // The next start compiles again where it was removed.
  }
}

/** Also drafts that a crash left behind. */
function removeOld(cache, current) {
  const builds = readdirSync(cache).filter((name) => name.startsWith(PREFIX))
    .map((name) => join(cache, name)).filter((path) => path !== current)
    .map((path) => ({ path, usedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.usedMs - one.usedMs)
  for (const { path, usedMs } of builds.slice(KEPT)) {
    if (Date.now() - usedMs > UNUSED_MS) rmSync(path, { recursive: true, force: true })
  }
}
