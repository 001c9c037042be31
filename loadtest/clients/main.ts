/**
 * `npm run clients`: clients that nobody here wrote, against a node of its own. Generators make one
 * of /openapi.json, which is compiled and places an order; MCP clients place one with the tools.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { monotonicMs } from '../../src/contract/time.ts'
import { startOwnNode } from '../../src/commands/demo/own-node.ts'
import { GENERATORS, MCP_CLIENTS } from './tried-clients.ts'
import { hasFailed, hasPassed, summaryOf, tableOf, type Row } from './report.ts'
import { tryClient } from './try-client.ts'

const SUBJECTS = [...GENERATORS, ...MCP_CLIENTS]
const NAMES = SUBJECTS.map(({ name }) => name)
const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

const { only } = new Command('clients')
  .option('--only <names>', `these, with commas: ${NAMES.join(', ')}`)
  .parse().opts<{ only?: string }>()
const wanted = only?.split(',').map((name) => name.trim()) ?? NAMES
const unknown = wanted.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. There are: ${NAMES.join(', ')}.`)
  process.exit(1)
}
const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-clients-'))
say('Starting a node of its own ...')
const node = await startOwnNode({ dataDir }, 5000)
const rows: Row[] = []
try {
  const { stdout } = await promisify(execFile)(process.execPath,
    [CLI, 'key', 'create', '--tier', 't2', '--label', 'clients'])
  const { api_key: key } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { api_key: string }
  const service = { url: `http://127.0.0.1:${node.config.port}`, key }
  for (const subject of SUBJECTS.filter(({ name }) => wanted.includes(name))) {
    const begun = monotonicMs()
    const row = await tryClient(subject, service)
    rows.push(row)
    const outcome = row.notRun === undefined ? (hasFailed(row) ? 'failed' : 'passed') : 'not run'
    say(`${subject.name}: ${outcome} (${((monotonicMs() - begun) / 1000).toFixed(0)} s)`)
  }
} finally {
  await node.stop()
  await rm(dataDir, { recursive: true, force: true })
}
const tables = [
  ['generator', GENERATORS, ['generates', 'compiles', 'reads', 'order', 'duplicate', 'refusals']],
  ['MCP client', MCP_CLIENTS, ['tools', 'order', 'duplicate', 'refusals', 'besides']],
] as const
for (const [kind, subjects, columns] of tables) {
  const among = rows.filter((row) => subjects.some(({ name }) => name === row.name))
  if (among.length > 0) say(`\n${tableOf(kind, columns, among)}`)
}
say(`\n${summaryOf(rows)}`)
process.exit(rows.some(hasPassed) && !rows.some(hasFailed) ? 0 : 1)
