/** Orders over REST, against the order script alone at the same durability, and on two nodes. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/config.ts'
import { freePort } from '../../../src/redis/server.ts'
import type { Contender, Group } from '../contender.ts'
import { acceptStatus, httpLoad } from '../http-load.ts'
import { startNodeServer } from '../node-server.ts'
import type { Server } from '../processes.ts'
import { orderCommands } from '../replay/commands.ts'
import { runReplay, writeCommands, type Words } from '../replay/replay.ts'
import type { Stand } from '../stand.ts'
import { attempts, orderCall, stockUp } from '../workload/orders.ts'

const FIRST_GUESS = 30_000
/** Two nodes, two Redis and a client. */
const CORES_FOR_TWO = 5

export async function orders(stand: Stand): Promise<Group> {
  const { redis, secret, secrets, urls, lines, connections, node } = stand
  // Otherwise it would rewrite its file now and then, in the middle of one contender's run.
  await redis.ledger.call('CONFIG', 'SET', 'auto-aof-rewrite-percentage', '0')
  const products = await stockUp(redis.ledger, lines)
  const pair = await startPair(stand)
  stand.place('all', pair.map(({ pid }) => pid))
  const command = orderCommands({ secrets, config: { ...readConfig({}), secret } })
  const file = join(stand.folder, 'orders.resp')
  let perSecond = FIRST_GUESS

  const script: Contender = {
    name: 'order script',
    pid: stand.pids.ledger,
    async prepare(seconds) {
      const commands: Words[] = []
      let source = ''
      for (const { input, buyer } of attempts(stand, products, Math.ceil(seconds * perSecond))) {
        const made = await command(input, buyer)
        commands.push(made.command)
        source = made.source
      }
      await redis.ledger.call('SCRIPT', 'LOAD', source)
      writeCommands(file, commands)
    },
    async run(seconds) {
      const run = await runReplay({
        url: urls.ledger, connections, seconds, file, expected: '*11\r\n$6\r\nplaced',
        cores: stand.placement?.client,
      })
      perSecond = Math.ceil(run.rate * 1.5)
      return run
    },
  }
  const placing = (name: string, server: Pick<Server, 'pid' | 'port'>): Contender =>
    httpLoad(stand, {
      name, server, accept: acceptStatus(200), isKeyed: true, usesRedis: true,
      calls: (seconds) => attempts(stand, products, Math.ceil(Math.max(seconds, 1) * perSecond))
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

async function startPair({ urls, secret }: Stand): Promise<Server[]> {
  const port = await freePort()
  return await Promise.all([1, 2].map(() => startNodeServer({ urls, secret, port, nodes: 2 })))
}
