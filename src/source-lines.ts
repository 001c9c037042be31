/**
 * Stack traces of compiled code name the lines of its sources. A map is read when a stack is first
 * shown, and forgotten soon: `--enable-source-maps` keeps every map in memory from the start.
 */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const KEPT_MS = 60_000

/** Of code in that folder; elsewhere a line is what it says it is. */
export function nameSourceLines(folder: string): void {
  const home = pathToFileURL(folder).href
  const maps = new Map<string, SourceMap | undefined>()
  const inSources = (site: string): string => site.replace(/(file:[^()]+):(\d+):(\d+)/,
    (compiled, url: string, line: string, column: string) => {
      if (!url.startsWith(`${home}/`)) return compiled
      if (maps.size === 0) setTimeout(() => maps.clear(), KEPT_MS).unref()
      if (!maps.has(url)) maps.set(url, readMap(url))
      const found = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1)
      return found && 'originalSource' in found
        ? `${new URL(found.originalSource, url).href}:${found.originalLine + 1}`
          + `:${found.originalColumn + 1}` : compiled
    })
  Error.prepareStackTrace = (error: Error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${inSources(String(site))}`)].join('\n')
}

function headOf(error: Error): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return undefined // It was removed: the compiled line has to do.
  }
}
