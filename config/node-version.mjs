// Which releases of Node have a build of the HTTP server: those that package.json names. Plain
// JavaScript without dependencies: it is asked before anything else is loaded, on any release.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const supported = manifest.engines.node.split('||').map((range) =>
  range.replace('^', '').split('.').map(Number))

const MAJORS = supported.map(([major]) => major).join(', ').replace(/, (\d+)$/, ' or $1')

export const NODE_TODO = `install Node ${MAJORS}`

/** Undefined for a release that is supported. */
export function nodeProblem(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  const range = supported.find(([one]) => one === major)
  if (range && minor >= range[1]) return undefined
  return range ? `Node ${version} is older than ${range.join('.')}`
    : `Node ${version} is not supported, the HTTP server has no build for it`
}

/** Ends the process with one sentence where Node is another. */
export function requireNode() {
  const problem = nodeProblem()
  if (problem === undefined) return
  process.stderr.write(`${problem}: ${NODE_TODO}.\n`)
  process.exit(1)
}
