import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as uWebSockets from 'uWebSockets.js'
import type { HttpRequest, HttpResponse, us_listen_socket } from 'uWebSockets.js'
import { cacheDir, setNativeHeadLimit } from '../config.ts'
import { NATIVE_HEAD_BYTES_MAX } from './head.ts'
import { relabel } from './relabel.ts'

const require = createRequire(import.meta.url)
const PACKAGE = 'uWebSockets.js'

/** The glibc minor version from which the package's own build loads, and the oldest we can help. */
const LOADS_FROM = 38
const RELABELLED_FROM = 36

/** Null where there is no glibc: macOS, Windows, musl. */
function glibcMinor(): number | null {
  // Without this a report asks the name service about every open socket, and waits for it.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  const match = /^2\.(\d+)/.exec(report.header?.glibcVersionRuntime ?? '')
  return match ? Number(match[1]) : null
}

/** A copy of the library that an older glibc loads, kept in the cache; the original stays as is. */
export function relabelledCopy(original: string, folder: string): string {
  const library = relabel(readFileSync(original))
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
  if (minor < RELABELLED_FROM) {
    throw new Error(
      `uWebSockets.js needs glibc 2.${RELABELLED_FROM} or newer, and this system has 2.${minor}: `
      + 'use a newer system, or run "docker compose up"',
    )
  }
  const folder = dirname(require.resolve(PACKAGE))
  const file = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  const original = join(folder, file)
  const copy = relabelledCopy(original, copies)
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
