/** Loads uWebSockets.js, a copy patched for an older glibc where needed, and opens its ports. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as uWebSockets from 'uWebSockets.js'
import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { cacheDir, setNativeHeadLimit } from '../config.ts'
import { NATIVE_HEAD_BYTES_MAX } from './request.ts'

const require = createRequire(import.meta.url)
const PACKAGE = 'uWebSockets.js'

// The C23 names that a build against glibc 2.38 asks for, and the ones every older glibc has.
// Each old name is the tail of the new one, so the string table itself stays as it is.
const OLDER = new Map([
  ['__isoc23_strtol', 'strtol'],
  ['__isoc23_strtoul', 'strtoul'],
  ['__isoc23_sscanf', 'sscanf'],
])
const TOO_NEW = 'GLIBC_2.38'
// What x86-64 and arm64 began with; the other architecture's version may be there as well.
const OLDEST = ['GLIBC_2.2.5', 'GLIBC_2.17']

const SHARED_OBJECT = 3
const SECTION = { dynsym: 11, versym: 0x6fffffff, verneed: 0x6ffffffe }
const SYMBOL_BYTES = 24
const WEAK = 2
const VERSION_MASK = 0x7fff

/** The glibc minor version from which the package's own build loads, and the oldest we can help. */
const LOADS_FROM = 38
const PATCHED_FROM = 36

/** Null where there is no glibc: macOS, Windows, musl. */
function glibcMinor(): number | null {
  // Without this a report asks the name service about every open socket, and waits for it.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  const match = /^2\.(\d+)/.exec(report.header?.glibcVersionRuntime ?? '')
  return match ? Number(match[1]) : null
}

/** A copy of the library that an older glibc loads, kept in the cache; the original stays as is. */
export function patchedCopy(original: string, folder: string): string {
  const library = patchElf(readFileSync(original))
  const digest = createHash('sha256').update(library).digest('hex')
  const path = join(folder, `uws-${digest.slice(0, 32)}.node`)
  if (!holds(path, library)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Written aside and renamed, so that several processes starting at once never load half a file.
    const temporary = `${path}.${randomUUID()}`
    writeFileSync(temporary, library, { mode: 0o600, flush: true })
    renameSync(temporary, path)
  }
  return path
}

function holds(path: string, content: Buffer): boolean {
  try {
    return readFileSync(path).equals(content)
  } catch {
    return false
  }
}

function loadNative(copies: string): typeof uWebSockets {
  const minor = glibcMinor()
  if (minor === null || minor >= LOADS_FROM) return require(PACKAGE)
  if (minor < PATCHED_FROM) {
    throw new Error(
      `uWebSockets.js needs glibc 2.${PATCHED_FROM} or newer, and this system has 2.${minor}: `
      + 'use a newer system, or run "docker compose up"',
    )
  }
  const folder = dirname(require.resolve(PACKAGE))
  const file = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const original = join(folder, file)
  const copy = patchedCopy(original, copies)
  require(copy)
  // The package's script asks for the original path and is handed what is already loaded.
  require.cache[original] = require.cache[copy]
  return require(PACKAGE)
}

setNativeHeadLimit(NATIVE_HEAD_BYTES_MAX)
export const uws = loadNative(cacheDir())

export interface Binding {
  readonly port: number
  stopAccepting(): void
  /** Cuts every connection, whatever it is doing. */
  closeAll(): void
}

/** The types lack the form with a host and options. */
type Listen = (
  host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void,
) => unknown
const SHARED_PORT = 0
const EXCLUSIVE_PORT = 1

/** Of a node: with 16 kB of head each they take 160 MB at worst. */
const CONNECTIONS_MAX = 10_000

/** Hands each request to `take`, which must not throw. Undefined when the port cannot be had. */
export async function openPort(
  take: (response: HttpResponse, request: HttpRequest) => void,
  host: string, port: number, isShared: boolean, connectionsMax = CONNECTIONS_MAX,
): Promise<Binding | undefined> {
  // Undocumented, and the only way to leave out the header that names the server's version.
  (uws as unknown as { _cfg(option: string): void })._cfg('silent')
  let connections = 0
  const app = uws.App().filter((response, change) => {
    connections += Number(change)
    // Nothing was read yet. Idle ones end after 10 s, so that there is room again soon.
    if (Number(change) > 0 && connections > connectionsMax) response.close()
  }).any('/*', take)
  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    (app as unknown as { listen: Listen })
      .listen(host, port, isShared ? SHARED_PORT : EXCLUSIVE_PORT, resolve)
  })
  if (!socket) return undefined
  let isAccepting = true
  const stopAccepting = (): void => {
    if (isAccepting) uws.us_listen_socket_close(socket)
    isAccepting = false
  }
  return {
    port: uws.us_socket_local_port(socket),
    stopAccepting,
    closeAll() {
      stopAccepting()
      app.close()
    },
  }
}

/** For defects: no answer, but no connection that waits for one either. */
export function drop(response: HttpResponse): void {
  try {
    response.close()
  } catch {
    // It was answered already, and must not be used.
  }
}

interface Section { type: number, link: number, count: number, bytes: Buffer }
interface Version { name: string, index: number, at: number }

/**
 * A copy of a shared library in which the three C23 symbols point at their older namesakes and
 * the need for glibc 2.38 is marked weak, so that an older glibc loads it. Pure: same bytes in,
 * same bytes out. Throws when the file is not the kind of library this was written for.
 */
export function patchElf(original: Buffer): Buffer {
  const copy = Buffer.from(original)
  try {
    patchInPlace(copy)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`cannot patch this library: ${reason}`, { cause })
  }
  return copy
}

function patchInPlace(file: Buffer): void {
  const sections = readSections(file)
  const symbols = only(sections, SECTION.dynsym)
  const versionOf = only(sections, SECTION.versym)
  const needs = only(sections, SECTION.verneed)
  const symbolNames = linked(sections, symbols)
  const versions = readNeeds(needs, linked(sections, needs))
  const [newest, ...candidates] = [TOO_NEW, ...OLDEST].map(
    wanted => versions.find(version => version.name === wanted),
  )
  const oldest = candidates.find(version => version !== undefined)
  if (!newest || !oldest) throw new Error(`it does not ask libc for ${TOO_NEW}`)

  for (let index = 0; index * SYMBOL_BYTES < symbols.bytes.length; index++) {
    if ((versionOf.bytes.readUInt16LE(index * 2) & VERSION_MASK) !== newest.index) continue
    const nameAt = symbols.bytes.readUInt32LE(index * SYMBOL_BYTES)
    const name = readText(symbolNames, nameAt)
    const older = OLDER.get(name)
    if (!older) throw new Error(`${name} has no older namesake`)
    symbols.bytes.writeUInt32LE(nameAt + name.length - older.length, index * SYMBOL_BYTES)
    versionOf.bytes.writeUInt16LE(oldest.index, index * 2)
  }
  needs.bytes.writeUInt16LE(needs.bytes.readUInt16LE(newest.at + 4) | WEAK, newest.at + 4)
}

function readSections(file: Buffer): Section[] {
  const isElf64 = file.length > 64 && file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2
  const isLittleEndian = file[5] === 1
  if (!isElf64 || !isLittleEndian) throw new Error('it is not a 64-bit little-endian ELF file')
  if (file.readUInt16LE(16) !== SHARED_OBJECT) throw new Error('it is not a shared object')
  const start = Number(file.readBigUInt64LE(40))
  const size = file.readUInt16LE(58)
  return Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const header = part(file, start + index * size, 64)
    const type = header.readUInt32LE(4)
    const offset = Number(header.readBigUInt64LE(24))
    const length = Number(header.readBigUInt64LE(32))
    const link = header.readUInt32LE(40)
    const count = header.readUInt32LE(44)
    // Only what takes part is cut out: a section such as .bss has a size but no bytes in the file.
    const isWanted = type === 3 || Object.values(SECTION).includes(type)
    return { type, link, count, bytes: isWanted ? part(file, offset, length) : Buffer.alloc(0) }
  })
}

/** Versions wanted of libc.so.6; `at` is where the entry stands, to be marked later. */
function readNeeds(needs: Section, names: Buffer): Version[] {
  const versions: Version[] = []
  let libraryAt = 0
  for (let library = 0; library < needs.count; library++) {
    const isLibc = readText(names, needs.bytes.readUInt32LE(libraryAt + 4)) === 'libc.so.6'
    let at = libraryAt + needs.bytes.readUInt32LE(libraryAt + 8)
    for (let left = needs.bytes.readUInt16LE(libraryAt + 2); left > 0; left--) {
      const name = readText(names, needs.bytes.readUInt32LE(at + 8))
      if (isLibc) versions.push({ name, index: needs.bytes.readUInt16LE(at + 6), at })
      at += needs.bytes.readUInt32LE(at + 12)
    }
    libraryAt += needs.bytes.readUInt32LE(libraryAt + 12)
  }
  return versions
}

function only(sections: Section[], type: number): Section {
  const found = sections.filter(section => section.type === type)
  if (!found[0] || found.length > 1) throw new Error('its symbol tables are not as expected')
  return found[0]
}

function linked(sections: Section[], from: Section): Buffer {
  const strings = sections[from.link]
  if (strings?.type !== 3) throw new Error('a table of names is missing')
  return strings.bytes
}

function part(file: Buffer, start: number, length: number): Buffer {
  if (start + length > file.length) throw new Error('it is cut short')
  return file.subarray(start, start + length)
}

function readText(names: Buffer, start: number): string {
  const end = names.indexOf(0, start)
  if (start >= names.length || end < 0) throw new Error('a name lies outside its table')
  return names.toString('latin1', start, end)
}
