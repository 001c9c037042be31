/** A process that archives every ended order of a ledger, and is killed by its test. The archive
 * is the one of its settings. */
import { readConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { openOrderArchive } from '../orders/archive/archive.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { archiveOrders } from '../workers/order-archive.ts'

const [url = '', before = ''] = process.argv.slice(2)
const FILE_ORDERS = 40

const log = createLogger('silent')
const [ledger, client] = [openRedis(url, log), openRedis(url, log)]
await Promise.all([ledger, client].map((one) => untilReady(one, 'ledger')))
const durable = createDurable({ client, replicas: 0, log })
const archive = openOrderArchive(readConfig())!
process.stdout.write('begins\n')
for (;;) {
  const run = await archiveOrders({ ledger, durable, archive }, Number(before), FILE_ORDERS)
  if (run.archived === 0) break
  process.stdout.write(`archived ${run.archived}\n`)
}
durable.close()
ledger.disconnect()
