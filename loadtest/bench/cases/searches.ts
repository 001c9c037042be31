/** Searches that nobody has made before, against the same FT.SEARCH commands on Redis alone. */
import { join } from 'node:path'
import type { GoodsQuery } from '../../../src/goods/request.ts'
import { BenchFailure, type Contender, type Group } from '../contender.ts'
import { onCores } from '../cores.ts'
import { acceptPage, httpLoad } from '../http-load.ts'
import { runProgram } from '../processes.ts'
import { readRedisBenchmark } from '../redis-benchmark.ts'
import { searchCommand } from '../replay/commands.ts'
import { runReplay, writeCommands, type Words } from '../replay/replay.ts'
import type { Stand } from '../stand.ts'
import { refinements, searchCall, searches, take } from '../workload/goods.ts'

/** Before a run has told how many it takes. */
const FIRST_GUESS = 12_000
const SEED = 1

export async function searchGroup(stand: Stand): Promise<Group> {
  const unseen = pairOf(stand, 'search, unseen', searches(stand.lines, SEED))
  const refined = pairOf(stand, 'search, refined', refinements(stand.lines, SEED))
  const label = '`GET /v1/goods?q=`, words never seen before'
  return {
    name: 'searches',
    title: 'Searches never made before, against the same FT.SEARCH commands on Redis alone',
    subject: 'shelf',
    contenders: [unseen.limit, unseen.ours, refined.limit, refined.ours,
      ...await fixedCommand(stand)],
    comparisons: [
      { label, of: unseen.ours.name, against: unseen.limit.name, measure: 'rate', target: 0.85 },
      {
        label: `${label}: p99`, of: unseen.ours.name, against: unseen.limit.name,
        measure: 'p99Ms', target: 2,
      },
      {
        label: '`GET /v1/goods?q=`, known words with filters never seen before',
        of: refined.ours.name, against: refined.limit.name, measure: 'rate',
      },
      {
        label: 'our replay client against redis-benchmark, one fixed FT.SEARCH',
        of: 'replay, fixed', against: 'redis-benchmark, fixed', measure: 'rate',
      },
    ],
  }
}

/** A node and Redis alone: in a round both get the same queries, which no round before it had. */
function pairOf(stand: Stand, name: string, endless: Iterator<GoodsQuery>) {
  const { node, urls, connections } = stand
  let perSecond = FIRST_GUESS
  let held = { round: -1, queries: [] as GoodsQuery[] }
  function queriesOf(seconds: number, round: number): GoodsQuery[] {
    if (held.round !== round) {
      held = { round, queries: take(endless, Math.ceil(Math.max(seconds, 1) * perSecond)) }
    }
    return held.queries
  }

  const file = join(stand.folder, `${name.replaceAll(/\W+/g, '-')}.resp`)
  const limit: Contender = {
    name: `FT.SEARCH for ${name}`,
    pid: stand.pids.shelf,
    async prepare(seconds, round) {
      const commands: Words[] = []
      for (const query of queriesOf(seconds, round)) commands.push(await searchCommand(query))
      writeCommands(file, commands)
    },
    async run(seconds) {
      const run = await runReplay({
        url: urls.shelf, connections, seconds, file, expected: '*',
        cores: stand.placement?.client,
      })
      perSecond = Math.max(Math.ceil(run.rate * 2), FIRST_GUESS)
      return run
    },
  }
  const ours = httpLoad(stand, {
    name,
    server: node,
    calls: (seconds, round) => queriesOf(seconds, round).map(searchCall),
    accept: acceptPage(1),
    isKeyed: true,
  })
  return { limit, ours }
}

/** Shows that the replaying client is no slower than redis-benchmark, which cannot vary enough. */
async function fixedCommand(stand: Stand): Promise<Contender[]> {
  const { urls, connections, lines, folder } = stand
  const [line] = lines
  const words = await searchCommand({
    q: line?.words[0] ?? '', category_id: line?.category_id ?? 1,
  })
  const file = join(folder, 'fixed.resp')
  const { port, username, password } = new URL(urls.shelf)
  let perSecond = FIRST_GUESS * 4
  return [{
    name: 'replay, fixed',
    pid: stand.pids.shelf,
    async prepare(seconds) {
      writeCommands(file, Array.from({ length: Math.ceil(perSecond * seconds) }, () => words))
    },
    async run(seconds) {
      const run = await runReplay({
        url: urls.shelf, connections, seconds, file, expected: '*', cores: stand.placement?.client,
      })
      perSecond = Math.ceil(run.rate * 2)
      return run
    },
  }, {
    name: 'redis-benchmark, fixed',
    pid: stand.pids.shelf,
    async run(seconds) {
      const count = Math.max(Math.ceil(perSecond / 2 * seconds), 100)
      const output = await runProgram(onCores(stand.placement?.client, [
        'redis-benchmark', '-h', '127.0.0.1', '-p', port, '-a', password,
        ...username ? ['--user', username] : [],
        '-c', String(connections), '-n', String(count), '--csv', ...words.map(String),
      ]), seconds * 10_000 + 30_000).catch((error: Error) => {
        // The command line holds a password: it stays out of the words.
        throw new BenchFailure(`redis-benchmark failed (${error.name})`)
      })
      return readRedisBenchmark(output)
    },
  }]
}
