/** Who imports whom, type imports counted: read from the text of the files, without loading any. */
import { dirname, join, normalize } from 'node:path'

export interface Import {
  readonly from: string
  readonly to: string
  /** Gone once types are stripped: nothing is loaded for it. */
  readonly type: boolean
  /** `import('…')`: loaded only when it is called. */
  readonly lazy: boolean
}

const STATIC = /^(?:import|export)\s+(type\s)?(?:[\w\s{},*]+?\sfrom\s+)?'(\.[^']+)'/gm
const DYNAMIC = /(typeof\s+)?\bimport\('(\.[^']+)'\)/g

/** The imports of one file of the repository from others; names are relative to its root. */
export function importsOf(name: string, text: string): Import[] {
  const found = (pattern: RegExp, lazy: boolean): Import[] =>
    [...text.matchAll(pattern)].map(([, type, target]) => ({
      from: name, to: normalize(join(dirname(name), target as string)),
      type: type !== undefined, lazy,
    }))
  return [...found(STATIC, false), ...found(DYNAMIC, true)]
}

/** Files that import each other in a circle (strongly connected, by Tarjan), the largest first. */
export function circlesOf(imports: readonly Import[]): string[][] {
  const targets = byFile(imports)
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const path: string[] = []
  const onPath = new Set<string>()
  const circles: string[][] = []

  function visit(name: string): number {
    let lowest = order.size
    order.set(name, lowest)
    const own = lowest
    path.push(name)
    onPath.add(name)
    for (const to of targets.get(name) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to))
      else if (onPath.has(to)) lowest = Math.min(lowest, order.get(to) as number)
    }
    low.set(name, lowest)
    if (lowest === own) close(name)
    return lowest
  }

  function close(name: string): void {
    const circle = path.splice(path.indexOf(name))
    for (const member of circle) onPath.delete(member)
    if (circle.length > 1) circles.push(circle.sort())
  }

  for (const name of targets.keys()) if (!order.has(name)) visit(name)
  return circles.sort((a, b) => b.length - a.length)
}

/** Everything that loading `entries` loads with it, and what it may load later if `lazy`. */
export function loadedFrom(
  entries: readonly string[], imports: readonly Import[], lazy = false,
): Set<string> {
  const targets = byFile(imports.filter((found) => !found.type && (lazy || !found.lazy)))
  const loaded = new Set(entries)
  for (const name of loaded) for (const to of targets.get(name) ?? []) loaded.add(to)
  return loaded
}

function byFile(imports: readonly Import[]): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const { from, to } of imports) targets.set(from, [...targets.get(from) ?? [], to])
  return targets
}
