/** Every group of cases, in the order in which they run: orders last, because they leave traces. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { freePort } from '../../src/dev/redis/server.ts'
import type { GoodsQuery } from '../../src/goods/read-page.ts'
import {
  acceptDetail, acceptPage, acceptProducts, acceptStatus, acceptTool, type HttpCall, httpLoad,
  type HttpLoad, send, withKeys,
} from './http-load.ts'
import {
  HELLO, onCores, runProgram, type Server, startBareServer, startNodeServer, startSdkServer,
} from './processes.ts'
import { readRedisBenchmark, runReplay, type Words, writeCommands } from './replay.ts'
import { shopGroup } from './shop.ts'
import { BenchFailure, type Comparison, type Contender, type Group } from './rounds.ts'
import type { BenchTestbed } from './testbed.ts'
import {
  attempts, detailCall, orderCall, orderCommands, PLACED, preflightCalls, refinements, rpcCall,
  searchCall, searchCommand, searches, stockUp, take, toolCall, ucpCall,
} from './workload.ts'

export const GROUPS = {
  reads, searches: searchGroup, mcp, ucp, shop: shopGroup, orders,
} as const satisfies Record<string, (testbed: BenchTestbed) => Promise<Group>>

export type GroupName = keyof typeof GROUPS

const DETAILS = 5000
const SEARCHES = 300

/** Searches that find a full page: what people ask for again and again. */
async function popularCalls(testbed: BenchTestbed, count: number): Promise<HttpCall[]> {
  const calls: HttpCall[] = []
  const asked = new Set<string>()
  for (const { words: [brand = ''], category_id } of testbed.lines) {
    if (calls.length === count) break
    const call = searchCall({ q: brand, category_id })
    if (asked.has(call.path)) continue
    asked.add(call.path)
    const [keyed] = withKeys([call], testbed.apiKeys)
    const answer = await send(testbed.node.port, keyed as HttpCall)
    try {
      acceptPage(testbed.pageItems)(answer)
    } catch {
      continue
    }
    calls.push(call)
  }
  if (calls.length === 0) throw new Error('No search finds a full page: use more --items.')
  return calls
}

async function reads(testbed: BenchTestbed): Promise<Group> {
  const { node, lines } = testbed
  const details = lines.slice(0, DETAILS).map(detailCall)
  const popular = await popularCalls(testbed, SEARCHES)
  const page = (await send(node.port, withKeys(popular, testbed.apiKeys)[0] as HttpCall)).text
  const [hello, bytes] = await Promise.all([startBareServer(HELLO), startBareServer(page)])
  testbed.assignCores('server', [hello.pid, bytes.pid])

  const load = (name: string, calls: HttpLoad['calls'], accept = acceptStatus(200)): Contender =>
    httpLoad(testbed, { name, server: node, calls, accept, isKeyed: true })
  const bare = (name: string, server: typeof hello, calls: readonly HttpCall[]): Contender =>
    httpLoad(testbed, { name, server, calls, accept: acceptStatus(200), isKeyed: true })
  const toolsList = rpcCall('tools/list', {})
  const against = (of: string, label: string, target?: number, limit = 'hello'): Comparison =>
    ({ label, of, against: limit, measure: 'rate', ...(target !== undefined && { target }) })
  return {
    name: 'reads',
    title: 'Answers from the node itself, against a bare uWebSockets hello',
    subject: 'server',
    contenders: [
      bare('hello', hello, details),
      bare('hello, a page\'s bytes', bytes, popular),
      load('healthz', [{ method: 'GET', path: '/healthz' }]),
      load('options', preflightCalls(), acceptStatus(204)),
      load('tools/list', [toolsList]),
      load('one item', lines.slice(0, 1).map(detailCall), acceptDetail),
      load('many items', details, acceptDetail),
      load('search, seen', popular, acceptPage(testbed.pageItems)),
    ],
    comparisons: [
      against('search, seen', '`GET /v1/goods?q=`, seen before, 20 items', 0.5),
      against('many items', `\`GET /v1/goods/:sku_id\`, ${DETAILS} items in turn`, 0.6),
      against('one item', '`GET /v1/goods/:sku_id`, one item'),
      against('search, seen', '`GET /v1/goods?q=`, seen, against a hello of as many bytes',
        undefined, 'hello, a page\'s bytes'),
      against('healthz', '`GET /healthz`'),
      against('options', '`OPTIONS`, a preflight'),
      against('tools/list', 'MCP `tools/list`'),
    ],
    close: async () => { await Promise.all([hello.stop(), bytes.stop()]) },
  }
}

async function mcp(testbed: BenchTestbed): Promise<Group> {
  const { node, lines, apiKeys } = testbed
  const popular = await popularCalls(testbed, SEARCHES)
  const items = lines.slice(0, DETAILS)
  const [first] = withKeys(popular, apiKeys)
  const { data } = JSON.parse((await send(node.port, first as HttpCall)).text) as { data: object }
  const sdk = await startSdkServer(data)
  testbed.assignCores('server', [sdk.pid])
  const searchTools = popular.map(({ path }) => {
    const query = new URL(path, 'http://127.0.0.1').searchParams
    return toolCall('search_goods', {
      q: query.get('q'), category_id: Number(query.get('category_id')),
    })
  })
  const peerCalls = [toolCall('search_goods', { q: '电热水壶', page_size: 20 })]
  const ours = (name: string, calls: readonly HttpCall[], accept: HttpLoad['accept']): Contender =>
    httpLoad(testbed, { name, server: node, calls, accept, isKeyed: true })
  const [rate, target] = ['rate' as const, 0.85]
  return {
    name: 'mcp',
    title: 'MCP tools, against the same over REST and on the official SDK with Express',
    subject: 'server',
    contenders: [
      ours('search, REST', popular, acceptPage(testbed.pageItems)),
      ours('search, MCP', searchTools, acceptTool),
      ours('detail, REST', items.map(detailCall), acceptDetail),
      ours('detail, MCP', items.map(({ sku_id }) => toolCall('get_goods_detail', { sku_id })),
        acceptTool),
      httpLoad(testbed, { name: 'SDK and Express', server: sdk, calls: peerCalls, isKeyed: false,
        accept: acceptTool }),
    ],
    comparisons: [
      { label: '`tools/call search_goods`, seen, against REST', of: 'search, MCP',
        against: 'search, REST', measure: rate, target },
      { label: '`tools/call get_goods_detail` against REST', of: 'detail, MCP',
        against: 'detail, REST', measure: rate, target },
      { label: '`tools/call search_goods` against the same page on the SDK with Express',
        of: 'search, MCP', against: 'SDK and Express', measure: rate, target: 10 },
    ],
    close: () => sdk.stop(),
  }
}

/** The platform's profile is the service's own, which declares everything. */
async function ucp(testbed: BenchTestbed): Promise<Group> {
  const { node } = testbed
  const popular = await popularCalls(testbed, SEARCHES)
  const profile = `http://127.0.0.1:${node.port}/.well-known/ucp`
  const calls = popular.map(({ path }) => {
    const query = new URL(path, 'http://127.0.0.1').searchParams
    return ucpCall('/catalog/search', profile, {
      query: query.get('q'), filters: { categories: [query.get('category_id')] },
      pagination: { limit: testbed.pageItems },
    })
  })
  return {
    name: 'ucp',
    title: 'Searches over UCP, against the same over REST',
    subject: 'server',
    contenders: [
      httpLoad(testbed, { name: 'search, REST', server: node, calls: popular,
        accept: acceptPage(testbed.pageItems), isKeyed: true }),
      httpLoad(testbed, { name: 'search, UCP', server: node, calls, accept: acceptProducts,
        isKeyed: true }),
    ],
    comparisons: [{ label: '`POST /ucp/catalog/search`, seen, against `GET /v1/goods?q=`',
      of: 'search, UCP', against: 'search, REST', measure: 'rate', target: 0.5 }],
  }
}

/** More than a node answers. */
const SEARCHES_PER_SECOND = 6000
/** Searches of Redis alone: it keeps no answers, so these come again when all were sent. */
const COMMANDS = 3000
const SEED = 1
/** Its first value is how many there are. */
const FOUND = ':'

async function searchGroup(testbed: BenchTestbed): Promise<Group> {
  const unseen = pairOf(testbed, 'search, unseen', searches(testbed.lines, SEED))
  const refined = pairOf(testbed, 'search, refined', refinements(testbed.lines, SEED))
  const label = '`GET /v1/goods?q=`, words never seen before'
  return {
    name: 'searches',
    title: 'Searches never made before, against the same FT.SEARCH commands on Redis alone',
    subject: 'shelf',
    contenders: [unseen.limit, unseen.ours, refined.limit, refined.ours,
      ...await fixedCommand(testbed)],
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
function pairOf(testbed: BenchTestbed, name: string, endless: Iterator<GoodsQuery>) {
  const { node, urls, connections } = testbed
  let held = { round: -1, queries: [] as GoodsQuery[] }
  function queriesOf(seconds: number, round: number): GoodsQuery[] {
    if (held.round !== round) {
      const count = Math.ceil(Math.max(seconds, 1) * SEARCHES_PER_SECOND)
      held = { round, queries: take(endless, count) }
    }
    return held.queries
  }

  const file = join(testbed.folder, `${name.replaceAll(/\W+/g, '-')}.resp`)
  const limit: Contender = {
    name: `FT.SEARCH for ${name}`,
    pid: testbed.pids.shelf,
    async prepare(seconds, round) {
      const commands: Words[] = []
      for (const query of queriesOf(seconds, round).slice(0, COMMANDS)) {
        commands.push(await searchCommand(query))
      }
      writeCommands(file, commands)
    },
    run: (seconds) => runReplay({
      url: urls.shelf, connections, seconds, file, expected: FOUND, repeats: true,
      cores: testbed.placement?.client,
    }),
  }
  const ours = httpLoad(testbed, {
    name,
    server: node,
    calls: (seconds, round) => queriesOf(seconds, round).map(searchCall),
    accept: acceptPage(1),
    isKeyed: true,
  })
  return { limit, ours }
}

/** Shows that the replaying client is no slower than redis-benchmark, which cannot vary enough. */
async function fixedCommand(testbed: BenchTestbed): Promise<Contender[]> {
  const { urls, connections, lines, folder } = testbed
  const [line] = lines
  const words = await searchCommand({
    q: line?.words[0] ?? '', category_id: line?.category_id ?? 1,
  })
  const file = join(folder, 'fixed.resp')
  const { port, username, password } = new URL(urls.shelf)
  writeCommands(file, [words])
  let perSecond = SEARCHES_PER_SECOND
  return [{
    name: 'replay, fixed',
    pid: testbed.pids.shelf,
    async run(seconds) {
      const run = await runReplay({
        url: urls.shelf, connections, seconds, file, expected: FOUND, repeats: true,
        cores: testbed.placement?.client,
      })
      perSecond = run.rate
      return run
    },
  }, {
    name: 'redis-benchmark, fixed',
    pid: testbed.pids.shelf,
    async run(seconds) {
      const count = Math.max(Math.ceil(perSecond * seconds), 100)
      const output = await runProgram(onCores(testbed.placement?.client, [
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

const FIRST_ORDERS_GUESS = 30_000
/** Two nodes, two Redis and a client. */
const CORES_FOR_TWO = 5

async function orders(testbed: BenchTestbed): Promise<Group> {
  const { redis, operator, secret, secrets, urls, lines, connections, node } = testbed
  // Otherwise it would rewrite its file now and then, in the middle of one contender's run.
  await operator.call('CONFIG', 'SET', 'auto-aof-rewrite-percentage', '0')
  const products = await stockUp(redis.ledger, lines)
  const pair = await startPair(testbed)
  testbed.assignCores('all', pair.map(({ pid }) => pid))
  const command = orderCommands({ secrets, config: { ...readConfig({}), secret } })
  const file = join(testbed.folder, 'orders.resp')
  let perSecond = FIRST_ORDERS_GUESS

  const script: Contender = {
    name: 'order script',
    pid: testbed.pids.ledger,
    async prepare(seconds) {
      const commands: Words[] = []
      let source = ''
      const count = Math.ceil(seconds * perSecond)
      for (const { input, buyer } of attempts(testbed, products, count)) {
        const made = await command(input, buyer)
        commands.push(made.command)
        source = made.source
      }
      await redis.ledger.call('SCRIPT', 'LOAD', source)
      writeCommands(file, commands)
    },
    async run(seconds) {
      const run = await runReplay({
        url: urls.ledger, connections, seconds, file, expected: PLACED,
        cores: testbed.placement?.client,
      })
      perSecond = Math.ceil(run.rate * 1.5)
      return run
    },
  }
  const placing = (name: string, server: Pick<Server, 'pid' | 'port'>): Contender =>
    httpLoad(testbed, {
      name, server, accept: acceptStatus(200), isKeyed: true, usesRedis: true,
      calls: (seconds) => attempts(testbed, products, Math.ceil(Math.max(seconds, 1) * perSecond))
        .map(orderCall),
    })
  const caveat = availableParallelism() < CORES_FOR_TWO
    ? 'not measurable here: too few cores' : undefined
  return {
    name: 'orders',
    title: 'Orders, against the order script alone with the same sync of the disk',
    subject: 'all',
    contenders: [script, placing('orders', node), placing('orders, two nodes', pair[0] as Server)],
    comparisons: [
      { label: '`POST /v1/orders` against the order script', of: 'orders', against: 'order script',
        measure: 'rate', target: 0.6 },
      { label: 'two nodes on one ledger against one', of: 'orders, two nodes', against: 'orders',
        measure: 'rate', target: 1.7, ...(caveat !== undefined && { caveat }) },
    ],
    close: async () => { await Promise.all(pair.map(({ stop }) => stop())) },
  }
}

async function startPair({ urls, secret }: BenchTestbed): Promise<Server[]> {
  const port = await freePort()
  return await Promise.all([1, 2].map(() => startNodeServer({ urls, secret, port, nodes: 2 })))
}
