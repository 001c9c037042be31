/** `npm run faults`: random agents against real nodes while faults are inflicted on them. */
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { cacheDir } from '../../src/config.ts'
import { provisionRedis } from '../../src/dev/redis/provision.ts'
import { cutCheckouts, cutTable } from './checkout-cuts.ts'
import { chooseFaults } from './schedule.ts'
import { canEnterNamespace, findTools, runWithinNamespace } from './tools.ts'
import { faultTable, runLines } from './report.ts'
import { runOnce, type RunResult } from './run.ts'
import type { LedgerKind } from './testbed.ts'

const list = (text: string): string[] => text.split(',').map((one) => one.trim()).filter(Boolean)
const { seeds, seconds, each, first, on, only, nodes, keep, checkouts } = new Command('faults')
  .option('--seeds <n>', 'runs', '4')
  .option('--seconds <n>', 'of each run, without its start and its end', '60')
  .option('--each', 'each run goes on until every fault was inflicted once')
  .option('--first <n>', 'the first seed; the others follow', '1')
  .option('--on <kinds>', 'single, cluster or both in turn', 'single,cluster')
  .option('--only <faults>', 'names with commas')
  .option('--nodes <n>', 'processes of the service', '2')
  .option('--checkouts', 'nothing but a checkout whose node is killed at each of its writes')
  .option('--keep', 'keeps the data of every run, not only where something is wrong')
  .parse().opts<Record<string, string>>()

const say = (text: string): void => { process.stdout.write(`${text}\n`) }
if (checkouts) {
  const rows = await cutCheckouts({
    onRow: (row) => say([row.case, row.when, row.step, row.problem ?? 'whole'].join(' ')),
  })
  say(`\n${cutTable(rows)}`)
  process.exit(rows.some(({ problem }) => problem !== undefined) ? 1 : 0)
}

// Outside, since it may have to be fetched, and there is no other machine within.
const tools = await findTools()
await provisionRedis({ cacheDir: cacheDir() })
if ('missing' in tools.cut && canEnterNamespace()) process.exit(await runWithinNamespace())

const folder = mkdtempSync(join(tmpdir(), 'agentmall-faults-'))
const kinds = list(on ?? '') as LedgerKind[]
const names = only === undefined ? undefined : list(only)
const chosen = new Map(kinds.map((kind) => [kind, chooseFaults(kind, tools, names)]))
for (const [kind, { notRun }] of chosen) {
  for (const { name, why } of notRun) say(`not run on ${kind}: ${name}: ${why}`)
}
const results: RunResult[] = []
const interrupted = new AbortController()
let hasFailed = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.abort())
}
for (let run = 0; run < Number(seeds) && !interrupted.signal.aborted; run += 1) {
  const seed = Number(first) + run
  const kind = kinds[run % kinds.length] as LedgerKind
  try {
    const result = await runOnce({
      seed, kind, seconds: Number(seconds), nodes: Number(nodes), tools, keep: Boolean(keep),
      inflictsEach: Boolean(each),
      folder: join(folder, `seed-${seed}`), faults: chosen.get(kind)?.faults ?? [],
      isInterrupted: () => interrupted.signal.aborted,
    })
    results.push(result)
    say(runLines(result))
    if (keep) say(`  kept in ${result.folder}`)
  } catch (error) {
    hasFailed = true
    say(`seed ${seed} on ${kind}: the run itself failed: ${(error as Error).stack}`)
  }
}
say(`\n${faultTable(results)}`)
// Nothing is left in it where nothing was to be kept.
if (readdirSync(folder).length === 0) rmdirSync(folder)
process.exit(hasFailed || results.some(({ violations }) => violations.length > 0) ? 1 : 0)
