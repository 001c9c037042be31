/** `npm run bench`: what a node reaches of what its parts can do, side by side in one run. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { WorkersSetting } from '../../src/config.ts'
import { GROUPS, type GroupName } from './cases.ts'
import { machineFacts, memoryRows, redisMb, rowsOf, tableText, writeBetween } from './report.ts'
import { printCommands } from './consumers.ts'
import { profileCase } from './profile.ts'
import { runGroup } from './rounds.ts'
import { openBenchTestbed, type BenchTestbed } from './testbed.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const WARM_UP_SECONDS = 3

interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly items: number
  readonly data: string
  readonly only: readonly GroupName[]
  readonly logLevel: string
  readonly pin: boolean
  readonly workers: WorkersSetting
  readonly write: boolean
  readonly profile?: string
  readonly commands: boolean
}

const say = (text: string): void => { process.stderr.write(`${text}\n`) }

function integer(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number.')
  return Number(text)
}

function groupNames(text: string): GroupName[] {
  const names = text.split(',') as GroupName[]
  for (const name of names) {
    if (!(name in GROUPS)) {
      throw new InvalidArgumentError(`must be of ${Object.keys(GROUPS).join(', ')}.`)
    }
  }
  return names
}

/** Which tool is missing, in words that end it. */
function missingTool(): string | undefined {
  for (const [program, packageName] of [['wrk', 'wrk'], ['redis-benchmark', 'redis-tools']]) {
    if (spawnSync(program as string, ['--version'], { timeout: 5000 }).error) {
      return `${program} is not installed: on Debian it is in the package ${packageName}.`
    }
  }
  return undefined
}

async function bench(options: Options): Promise<void> {
  const missing = missingTool()
  if (missing !== undefined) {
    say(missing)
    process.exitCode = 1
    return
  }
  const testbed = await openBenchTestbed({
    ...options, dataDir: options.data, isPinned: options.pin,
  })
  const interrupted = (): void => { void testbed.close().finally(() => process.exit(130)) }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const text = await measure(testbed, options)
    process.stdout.write(`${text}\n`)
    if (options.write) writeBetween(DOCUMENT, text)
  } finally {
    await testbed.close()
  }
}

async function measure(testbed: BenchTestbed, options: Options): Promise<string> {
  const { rounds, seconds, connections, only, items } = options
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, seconds)
  const catalogueMb = await redisMb(testbed)
  const tables: string[] = []
  for (const name of only) {
    say(name)
    const group = await GROUPS[name](testbed)
    try {
      testbed.assignCores(group.subject)
      const outcomes = await runGroup(group, { rounds, seconds, warmUpSeconds }, say)
      tables.push(tableText(group.title, rowsOf(group, outcomes)))
    } finally {
      await group.close?.()
    }
  }
  tables.push(tableText('Memory', memoryRows(testbed, catalogueMb, items)))
  const facts = `${await machineFacts(testbed.redis.shelf)}; ${items} items, ${connections} `
    + `connections, medians of ${rounds} rounds of ${seconds} s, in turns. `
    + `${placementText(testbed)} `
    + `Access log: ${options.logLevel === 'info' ? 'on' : 'off'}. CPU time of the `
    + 'answering process; behind a rate p50, p99 and Redis commands (cmd) for each answer.'
  return [facts, ...tables].join('\n\n')
}

function placementText({ placement }: BenchTestbed): string {
  if (placement === undefined) return 'Nothing was pinned to a core.'
  return availableParallelism() >= 4 ? 'Node, shelf, ledger and client had a core each.'
    : 'What is asked for its speed (node, or Redis where Redis is the limit) had one core alone; '
      + 'everything else shared the rest.'
}

await new Command('bench')
  .option('--rounds <count>', 'runs of each', integer, 5)
  .option('--seconds <count>', 'length of a run', integer, 3)
  .option('--connections <count>', 'of the load generator', integer, 64)
  .option('--items <count>', 'size of the catalogue', integer, 76_800)
  .option('--data <folder>', 'where the catalogue is kept between runs', join('.data', 'bench'))
  .option('--only <names>', `of ${Object.keys(GROUPS).join(', ')}`, groupNames,
    Object.keys(GROUPS) as GroupName[])
  .option('--log-level <level>', 'of the node; warn writes no line for a request', 'info')
  .addOption(new Option('--workers <place>', 'in the node, or in a process of their own')
    .choices(['in', 'own']).default('own'))
  .option('--no-pin', 'leave it to the system which process runs where')
  .option('--write', 'put the tables into docs/performance.md', false)
  .option('--profile <contender>', 'instead: where the node spends its time, such as "many items"')
  .option('--commands', 'instead: which Redis commands an order costs, and who sends them', false)
  .action(async (options: Options) => {
    if (options.commands) return await printCommands(options)
    await (options.profile === undefined ? bench(options) : profileCase(options.profile, options))
  })
  .parseAsync()
