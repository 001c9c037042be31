/** k6: from the PATH, else built once with Go into the cache, like the assembled Redis. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDir, setEnvironment } from '../../src/config.ts'
import { isExecutable, onPath } from '../executables.ts'

const VERSION = 'v1.8.1'
const MODULE = `go.k6.io/k6@${VERSION}`
/** It compiles hundreds of packages. */
const BUILD_MS_MAX = 900_000
const GO_PLACES = ['/usr/local/go/bin/go', '/usr/lib/go/bin/go']

const folder = (): string => join(cacheDir(), `k6-${VERSION}`)

/** Where k6 is; undefined where it would have to be built. */
export const findK6 = (path: string): string | undefined =>
  [...onPath(path, 'k6'), join(folder(), 'k6')].find(isExecutable)

export async function provideK6(path: string, say: (text: string) => void): Promise<string> {
  const found = findK6(path)
  if (found) return found
  const go = [...onPath(path, 'go'), ...GO_PLACES].find(isExecutable)
  if (!go) {
    throw new Error('k6 is not installed, and there is no Go to build it: install k6 from '
      + 'https://grafana.com/docs/k6/latest/set-up/install-k6/, or Go 1.25 or later.')
  }
  say(`Building k6 ${VERSION} (once, some minutes) ...`)
  await mkdir(cacheDir(), { recursive: true, mode: 0o700 })
  const draft = await mkdtemp(join(cacheDir(), 'k6-draft-'))
  try {
    setEnvironment({ GOBIN: draft })
    await promisify(execFile)(go, ['install', MODULE], {
      timeout: BUILD_MS_MAX, killSignal: 'SIGKILL', maxBuffer: 1 << 24,
    })
    // Of two that build at once one is kept.
    await rename(draft, folder()).catch(() => undefined)
  } catch (cause) {
    throw new Error(`k6 could not be built with ${go}: install k6 and put it on the PATH.`,
      { cause })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return join(folder(), 'k6')
}
